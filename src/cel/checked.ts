import type { Ast, CallNode, HasNode, SelectNode } from './ast.ts';
import type { FunctionDeclaration, Overload } from './library/declare.ts';
import type { Type } from './type.ts';

/** What the checker found out about an expression, for the planner. Types are final: no parameters are left. */
export interface Checked {
  readonly ast: Ast;
  readonly type: Type;
  typeOf(node: Ast): Type;
  /** The type that the values of the expression have, and through which JSON in them is read: wider than `type` where a dyn argument left it to others. */
  readonly valueType: Type;
  /** The same of a node. */
  valueTypeOf(node: Ast): Type;
  /** What the arguments of a call become, where its values have a wider type than the checker found. */
  parametersOf(node: CallNode): readonly Type[] | undefined;
  /** What an identifier, or a selection that spells a dotted name, refers to. */
  nameOf(node: Ast): ResolvedName | undefined;
  /** The function and the overloads that fit a call; one of them is chosen at run time if there are several. */
  callOf(node: CallNode): ResolvedCall | undefined;
  /** The property that a selected field of a struct is, unescaped. */
  fieldOf(node: SelectNode | HasNode): string;
  /** Where the names of a bind, optMap or loop live. */
  slotsOf(node: Ast): readonly number[];
  /** How many local names live at once at most. */
  readonly slots: number;
}

/** What a name refers to. */
export type ResolvedName =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'local'; readonly slot: number }
  | { readonly kind: 'type'; readonly type: Type };

/** What a call means. */
export interface ResolvedCall {
  readonly declaration: FunctionDeclaration;
  readonly overloads: readonly Overload[];
  /** The target (if it is a value, not a namespace) and the arguments. */
  readonly args: readonly Ast[];
}
