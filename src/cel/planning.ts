import type { Ast } from './ast.ts';
import type { Checked } from './checked.ts';
import type { MaybeStep, Step } from './step.ts';
import type { Type } from './type.ts';

/** What the planner of one kind of node asks of the planner of all. */
export interface Planning {
  readonly checked: Checked;
  plan(node: Ast): Step;
  /** A node whose value is optional, without making the Optional: undefined is none. */
  planMaybe(node: Ast): MaybeStep;
  /** A node whose value takes a wider type: what its own type says of it is put into the value. */
  planAs(node: Ast, type: Type): Step;
  /** The same for a node whose value is optional. */
  planMaybeAs(node: Ast, type: Type): MaybeStep;
}
