import { printJson } from '../../src/kube/json.ts';
import type { ManagedPath, PathStep } from '../../src/kube/managed-fields.ts';

/** For people, and as causes of a conflict have it: `.spec.containers[name="web"].image`, `.metadata.finalizers[="x"]`. */
export function printManagedPath(path: ManagedPath): string {
  return path.map(printStep).join('');
}

function printStep(step: PathStep): string {
  switch (step.kind) {
    case 'field':
      return `.${step.name}`;
    case 'key':
      return `[${Object.entries(step.key)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => `${name}=${printJson(value)}`)
        .join(',')}]`;
    case 'value':
      return `[=${printJson(step.value)}]`;
    case 'index':
      return `[${step.index}]`;
    default:
      return step satisfies never;
  }
}
