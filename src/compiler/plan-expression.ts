import type { Budget } from '../cel/budget.ts';
import { EvaluationError } from '../cel/error.ts';
import type { Plan } from '../cel/plan.ts';
import type { Type } from '../cel/type.ts';
import type { Value } from '../cel/value.ts';
import type { FieldPath } from '../diagnostic/path.ts';
import type { Expression, Frame, Lookup, ProgramNode } from './program.ts';

/** An expression without its place: one for all expressions of one text whose names mean the same. */
export type Meaning = Omit<Expression, 'path' | 'text'>;

/** An expression where it stands: three words, for the same text often stands in a dozen places of a Graph. */
export class PlacedExpression implements Expression {
  readonly path: FieldPath;
  readonly text: string;
  readonly #meaning: Meaning;

  constructor(path: FieldPath, text: string, meaning: Meaning) {
    this.path = path;
    this.text = text;
    this.#meaning = meaning;
  }

  get frame(): Frame | undefined {
    return this.#meaning.frame;
  }

  get references(): readonly ProgramNode[] {
    return this.#meaning.references;
  }

  get follows(): readonly ProgramNode[] {
    return this.#meaning.follows;
  }

  get locals(): readonly string[] {
    return this.#meaning.locals;
  }

  get isConstant(): boolean {
    return this.#meaning.isConstant;
  }

  get readsCluster(): boolean {
    return this.#meaning.readsCluster;
  }

  get type(): Type {
    return this.#meaning.type;
  }

  evaluate(lookup: Lookup, budget: Budget): Value {
    return this.#meaning.evaluate(lookup, budget);
  }
}

type Parts = Omit<Meaning, 'evaluate' | 'isConstant'> & { readonly plan: Plan };

/** What an expression means, with its plan; one that depends on nothing keeps its value, or its error, from the first evaluation on (graph.md 8.7). */
export function planExpression({ plan, frame, references, follows, locals, readsCluster, type }: Parts): Meaning {
  const isConstant = references.length === 0 && locals.length === 0;
  return { frame, references, follows, locals, readsCluster, type, isConstant, evaluate: isConstant ? once(plan) : plan };
}

function once(plan: Plan): Plan {
  let result: { readonly value: Value } | { readonly error: EvaluationError } | undefined;
  return (lookup: Lookup, budget: Budget) => {
    result ??= attempt(plan, lookup, budget);
    if ('error' in result) throw result.error;
    return result.value;
  };
}

/** What exceeds a budget is not kept: the next reconcile has a budget of its own. */
function attempt(plan: Plan, lookup: Lookup, budget: Budget): { readonly value: Value } | { readonly error: EvaluationError } {
  try {
    return { value: plan(lookup, budget) };
  } catch (error) {
    if (!(error instanceof EvaluationError) || error.code === 'limit') throw error;
    return { error };
  }
}
