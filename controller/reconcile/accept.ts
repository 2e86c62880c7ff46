import type { Graph } from '../../src/api/graph.ts';
import { applierUser } from '../../src/api/names.ts';
import { inPathOrder } from '../../src/diagnostic/diagnostic.ts';
import { printLine } from '../../src/diagnostic/print.ts';
import { joinPrinted, type Verdict } from '../status/conditions.ts';
import type { CompiledGraph } from './programs.ts';

/** The users that no Graph may act as: those of this release. */
export interface Release {
  readonly users: ReadonlySet<string>;
}

/** Who a Graph acts as, by its spec. */
export function applierOf({ metadata, spec }: Graph): string {
  return applierUser(metadata.namespace ?? '', spec.serviceAccountName);
}

/** The verdict on a Graph that would act as the controller or the webhook (graph.md 8.2); undefined: it would not. */
export function refuseOwnIdentity(graph: Graph, { users }: Release): Verdict | undefined {
  const user = applierOf(graph);
  if (!users.has(user)) return undefined;
  return invalid(`spec.serviceAccountName: a Graph may not act as ${user}, which is a ServiceAccount of this controller's own release`);
}

/** The verdict on a compilation: every error, one a line (graph.md 13). */
export function judgeCompiled({ program, diagnostics }: CompiledGraph): Verdict {
  const errors = inPathOrder(diagnostics).filter(({ severity }) => severity === 'error');
  if (program === undefined || errors.length > 0) return invalid(joinPrinted(errors, printLine));
  return { type: 'Accepted', status: 'True', reason: 'Compiled', message: '' };
}

function invalid(message: string): Verdict {
  return { type: 'Accepted', status: 'False', reason: 'InvalidGraph', message };
}
