import type { Stretch } from './stretch.ts';
import type { Type } from './type.ts';
import type { Value } from './value.ts';

/** An expression as written, macros expanded. Every node has its range in the text; parentheses belong to no node. */
export type Ast =
  | LiteralNode
  | IdentifierNode
  | SelectNode
  | HasNode
  | IndexNode
  | CallNode
  | ListNode
  | MapNode
  | LogicNode
  | ConditionalNode
  | BindNode
  | OptionalMapNode
  | ComprehensionNode;

interface Node {
  readonly span: Stretch;
}

/** A constant. */
export interface LiteralNode extends Node {
  readonly kind: 'literal';
  readonly value: Value;
  readonly type: Type;
}

/** A name: a variable, or a type as a value. */
export interface IdentifierNode extends Node {
  readonly kind: 'identifier';
  readonly name: string;
  /** Written with a leading dot: not looked up in the container or among bound names. */
  readonly absolute: boolean;
}

/** `operand.field` or `operand.?field`. */
export interface SelectNode extends Node {
  readonly kind: 'select';
  readonly operand: Ast;
  readonly field: string;
  readonly optional: boolean;
  readonly fieldSpan: Stretch;
}

/** `has(operand.field)`. */
export interface HasNode extends Node {
  readonly kind: 'has';
  readonly operand: Ast;
  readonly field: string;
  readonly fieldSpan: Stretch;
}

/** `operand[index]` or `operand[?index]`. */
export interface IndexNode extends Node {
  readonly kind: 'index';
  readonly operand: Ast;
  readonly index: Ast;
  readonly optional: boolean;
}

/** A function, a method, or an operator under its CEL name (`_+_`, `!_`, `@in`). */
export interface CallNode extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly target: Ast | undefined;
  readonly args: readonly Ast[];
  readonly nameSpan: Stretch;
}

/** `[a, ?b]`. */
export interface ListNode extends Node {
  readonly kind: 'list';
  readonly items: readonly { readonly value: Ast; readonly optional: boolean }[];
}

/** `{a: b, ?c: d}`. */
export interface MapNode extends Node {
  readonly kind: 'map';
  readonly entries: readonly { readonly key: Ast; readonly value: Ast; readonly optional: boolean }[];
}

/** `a && b && c` or `a || b || c`. */
export interface LogicNode extends Node {
  readonly kind: 'logic';
  readonly operator: '&&' | '||';
  readonly terms: readonly Ast[];
}

/** `condition ? then : otherwise`. */
export interface ConditionalNode extends Node {
  readonly kind: 'conditional';
  readonly condition: Ast;
  readonly whenTrue: Ast;
  readonly whenFalse: Ast;
}

/** `cel.bind(name, value, body)`. */
export interface BindNode extends Node {
  readonly kind: 'bind';
  readonly name: string;
  readonly value: Ast;
  readonly body: Ast;
}

/** `target.optMap(name, body)`, or optFlatMap if `flat`. */
export interface OptionalMapNode extends Node {
  readonly kind: 'optionalMap';
  readonly target: Ast;
  readonly name: string;
  readonly body: Ast;
  readonly flat: boolean;
}

/** What a loop makes of its items. */
export type ComprehensionForm = 'all' | 'exists' | 'existsOne' | 'filter' | 'list' | 'map' | 'mapEntry';

/** A loop over a list or map: `names` has one name (item, or key of a map) or two (index or key, and value). */
export interface ComprehensionNode extends Node {
  readonly kind: 'comprehension';
  readonly form: ComprehensionForm;
  readonly range: Ast;
  readonly names: readonly string[];
  /** Items for which this is false are left out (`map`, `transformList` and so on with a filter). */
  readonly condition: Ast | undefined;
  readonly body: Ast;
  /** The macro as written, for messages. */
  readonly macro: string;
}

/** The nodes directly below a node, in source order. */
export function children(node: Ast): readonly Ast[] {
  switch (node.kind) {
    case 'literal':
    case 'identifier':
      return [];
    case 'select':
    case 'has':
      return [node.operand];
    case 'index':
      return [node.operand, node.index];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.items.map((item) => item.value);
    case 'map':
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'logic':
      return node.terms;
    case 'conditional':
      return [node.condition, node.whenTrue, node.whenFalse];
    case 'bind':
      return [node.value, node.body];
    case 'optionalMap':
      return [node.target, node.body];
    case 'comprehension':
      return node.condition === undefined ? [node.range, node.body] : [node.range, node.condition, node.body];
    default:
      return node satisfies never;
  }
}
