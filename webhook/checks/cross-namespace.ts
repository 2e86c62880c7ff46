import { defineDiagnostic } from '../../src/diagnostic/diagnostic.ts';
import type { Check } from './check.ts';

const crossNamespace = defineDiagnostic({
  code: 'target/cross-namespace',
  severity: 'warning',
  message: ({ kind, namespace }: { kind: string; namespace: string }) => `this ${kind} is in another namespace, "${namespace}"`,
  hint: () => "the Graph's ServiceAccount needs rights there",
});

/** Does a node act on an object of another namespace? */
export const crossNamespaceTargets: Check = {
  topic: 'targets in other namespaces',
  isOfAccount: false,
  async run({ namespace: own, targets, served }) {
    return targets.flatMap(({ kind, namespace, place }) => {
      if (namespace === undefined || namespace === '' || namespace === own || served(kind)?.namespaced === false) return [];
      return [crossNamespace({ kind: kind.kind, namespace }, { path: place.field('metadata').field('namespace') })];
    });
  },
};
