import { type Diagnostic, inPathOrder } from '../diagnostic/diagnostic.ts';
import type { SchemaSnapshot } from '../schema/snapshot.ts';
import { analyse } from './analyse.ts';
import { type CompileLimits, DEFAULT_LIMITS } from './limits.ts';
import type { Program } from './program.ts';
import { seal } from './seal.ts';

/** What a compilation is a function of. */
export interface CompileInput {
  /** A Graph as it was decoded from JSON or YAML; nothing of its shape is taken for granted. */
  readonly graph: unknown;
  readonly schemas: SchemaSnapshot;
  readonly limits?: CompileLimits;
}

/** A Program when there is no error, and in any case everything that is wrong, in path order. */
export interface Compiled {
  readonly program?: Program;
  readonly diagnostics: readonly Diagnostic[];
}

/** Turns a Graph into a Program, or into everything that is wrong with it; synchronous and pure (graph.md 2-6, 15). */
export function compile({ graph, schemas, limits = DEFAULT_LIMITS }: CompileInput): Compiled {
  const analysis = analyse(graph, schemas, limits);
  const diagnostics = inPathOrder(analysis.diagnostics);
  if (diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics };
  return { program: seal(analysis, schemas, limits), diagnostics };
}
