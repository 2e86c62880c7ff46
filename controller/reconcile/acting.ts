import type { Ledger } from '../inventory/ledger.ts';
import type { Coverage } from '../watch/coverage.ts';
import type { ActingContext } from './context.ts';
import type { ReconcilerParts, Session } from './reconciler.ts';

/** Who acts, and with what, in one turn. */
export interface ActingInput {
  readonly session: Session;
  readonly applierUser: string;
  readonly ledger: Ledger;
  readonly coverage: Coverage;
}

/** The context of everything that acts on the cluster for one Graph. */
export function actingContext({ session, applierUser, ledger, coverage }: ActingInput, parts: ReconcilerParts): ActingContext {
  const { stored, memory, key, signal, log, report } = session;
  const { client, cluster, access, now } = parts;
  const kinds = new Map<string, ReturnType<ActingContext['resolveKind']>>();
  return {
    graph: stored.graph,
    graphUid: memory.uid,
    namespace: stored.graph.metadata.namespace ?? '',
    key,
    applier: client.as(applierUser),
    applierUser,
    ledger,
    coverage,
    memory,
    access,
    // Once for each kind: a collection asks for each of its items.
    resolveKind(kind) {
      const name = `${kind.group}/${kind.version}/${kind.kind}`;
      const known = kinds.get(name) ?? cluster.resolveKind(kind);
      kinds.set(name, known);
      return known;
    },
    resolveServed: (kind, least) => cluster.resolveServed(kind, least),
    isNamespaceEnding: (namespace, when) => cluster.isNamespaceEnding(namespace, when, signal),
    hasGarbageCollector: () => cluster.hasGarbageCollector(signal),
    aliveGraphs: (hashes) => cluster.aliveGraphs(hashes, signal),
    tell: report.tell,
    log,
    signal,
    now,
  };
}
