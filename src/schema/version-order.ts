const KUBE_VERSION = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;
const STAGES: readonly (string | undefined)[] = [undefined, 'beta', 'alpha'];

/** Orders versions as an API server prefers them: `v2`, `v1`, `v2beta1`, `v1alpha1`, and other names last, by text. */
export function compareVersions(a: string, b: string): number {
  const left = KUBE_VERSION.exec(a);
  const right = KUBE_VERSION.exec(b);
  if (left === null || right === null) return Number(left === null) - Number(right === null) || (a < b ? -1 : a > b ? 1 : 0);
  return (
    STAGES.indexOf(left[2]) - STAGES.indexOf(right[2]) || Number(right[1]) - Number(left[1]) || Number(right[3] ?? 0) - Number(left[3] ?? 0)
  );
}
