import { printResourceKind, type ResourceKind } from '../src/api/object.ts';
import { type Diagnostic, defineDiagnostic } from '../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../src/diagnostic/path.ts';
import { PathTree } from '../src/diagnostic/path-tree.ts';
import { targetsOf } from './checks/targets.ts';

const unavailable = defineDiagnostic({
  code: 'kind/unavailable',
  severity: 'warning',
  message: ({ kind }: { kind: string }) => `not checked whether the cluster serves ${kind}: the server of its API group does not answer`,
  hint: () => 'kubectl get apiservices tells why; the node was checked as one of unknown type',
});

export interface Unserved {
  /** What the compiler found not to be served. */
  readonly diagnostics: readonly Diagnostic[];
  /** Of which nobody can say so now. */
  readonly unavailable: readonly ResourceKind[];
  readonly spec: unknown;
}

/** Whether a kind is served cannot be told while the server of its group is away: that is no unknown kind (graph.md 14.2). */
export function setApart({ diagnostics, unavailable: kinds, spec }: Unserved): {
  readonly unserved: readonly Diagnostic[];
  readonly unknown: readonly Diagnostic[];
} {
  if (kinds.length === 0 || diagnostics.length === 0) return { unserved: diagnostics, unknown: [] };
  const away = new Set(kinds.map(printResourceKind));
  const places = new PathTree();
  const named = new Map(targetsOf(spec).map(({ place, kind }) => [places.branch(place), printResourceKind(kind)]));
  const unserved: Diagnostic[] = [];
  const unknown: Diagnostic[] = [];
  for (const diagnostic of diagnostics) {
    const kind = named.get(places.branch(diagnostic.path.parent ?? FieldPath.root));
    if (kind === undefined || !away.has(kind)) unserved.push(diagnostic);
    else unknown.push(unavailable({ kind }, { path: diagnostic.path }));
  }
  return { unserved, unknown };
}
