import type { Stretch } from '../stretch.ts';
import type { OpaqueType, Type } from '../type.ts';
import type { OpaqueKind, Value } from '../value.ts';
import { parseSignature, type Signature } from './signature.ts';

/**
 * One library: a table that feeds the checker, the planner, the budget and the manual. A library file exports one of these and is
 * listed in `index.ts`:
 *
 * ```ts
 * export const strings: Library = {
 *   name: 'strings',
 *   doc: 'Text.',
 *   functions: [
 *     define('split', {
 *       doc: 'Cuts a text at every separator; at most `limit` pieces if one is given.',
 *       examples: [["'a,b'.split(',')", "['a', 'b']"]],
 *       overloads: [
 *         overload('string.split(string) -> list(string)', (text: string, separator: string) => text.split(separator)),
 *       ],
 *     }),
 *   ],
 * };
 * ```
 */
export interface Library {
  readonly name: string;
  /** One sentence for the manual. */
  readonly doc: string;
  readonly functions: readonly FunctionDeclaration[];
  /** Macros, for the manual: they are expanded by `macro.ts`. */
  readonly macros?: readonly MacroDeclaration[];
  /** The opaque types whose values this library makes; their names may then stand in any signature. */
  readonly opaques?: readonly OpaqueKind<never>[];
}

/** A macro as the manual shows it. */
export interface MacroDeclaration {
  readonly name: string;
  /** How it is written: `list.map(x, expression)`. */
  readonly usage: readonly string[];
  readonly doc: string;
  readonly examples: readonly Example[];
}

/** A function with all its overloads. The name includes its namespace: `split`, `base64.encode`, `math.@max`. */
export interface FunctionDeclaration {
  readonly name: string;
  /** One line for the manual. */
  readonly doc: string;
  /** What a person wrote, where a macro expands to this function: `math.greatest` for `math.@max`. Left out of the manual then. */
  readonly shownAs?: string;
  readonly examples: readonly Example[];
  /**
   * In the order of functions.yaml (cel-go's): of an argument of which nothing is known, as an element of `[]`, the first that fits says
   * what it is.
   */
  readonly overloads: readonly Overload[];
  /** Whether the values alone decide which overload of the style runs, not what the checker took them for: `size` (as in cel-go). */
  readonly byValue?: boolean;
  /** Whether they come before those that a library further up has for the name. */
  readonly first?: boolean;
}

/** Whether a function takes so many arguments, what it is called of among them. */
export function takes({ overloads }: FunctionDeclaration, count: number, receiver: boolean): boolean {
  return overloads.some(({ signature }) => signature.receiver === receiver && signature.parameters.length === count);
}

/** An expression and what it is equal to: another expression, or the code of the evaluation error that it gives. */
export type Example = readonly [expression: string, result: string] | readonly [expression: string, result: { readonly error: string }];

/**
 * A function's code. Parameters arrive, and the result is given back, in the natural form of the *declared* type:
 *
 * | declared | argument | result |
 * | --- | --- | --- |
 * | bool, string, null | boolean, string, null | the same |
 * | int | `Integer`: number, or bigint beyond 2^53. For an index `Number(n)` is right: beyond 2^53 it is out of any range | `Integer` or any bigint; out of int64 is an `overflow` error |
 * | uint | `Integer`, not boxed | `Integer` or any bigint; out of uint64 is an `overflow` error |
 * | double | number, not boxed | number |
 * | bytes | Uint8Array (do not mutate) | Uint8Array |
 * | timestamp, duration | `Timestamp`, `Duration` | the same; out of range is an `overflow` error |
 * | list(T) | `readonly Value[]`, the elements as values (a double element may be a `Double`, see value.ts) | the same: make elements with `boxDouble`, `new Uint` |
 * | map(K, V) | `PlainMap` or `MapValue`: use `mapGet`, `mapEntries`, `mapSize` | either |
 * | optional_type(T) | `Optional` | `Optional` |
 * | kubernetes.Quantity, … | `Opaque<T>`: its `data` | `new Opaque(kind, data)` |
 * | type(T) | `TypeValue` | `TypeValue` |
 * | dyn, a type parameter | `Value` | `Value` |
 *
 * The receiver is the first parameter. One more argument follows the declared ones: the `Budget`, for work that depends on data in
 * other than linear ways. Arguments have been checked against the declared types, also at run time. An implementation is pure and
 * reports by `throw fail(code, message)` (error.ts); the message never holds an argument's value. Indexes of strings count code points.
 */
export type Implementation = (...args: never[]) => unknown;

/** One signature with its code. */
export interface Overload {
  readonly signature: Signature;
  readonly implement: Implementation;
  /**
   * Units of work, charged before the call. By default the sizes of the arguments (characters, bytes, entries; a struct or dyn map
   * its entries), divided by 32, plus one. State it where the work is not linear in them.
   */
  readonly cost?: (...args: never[]) => number;
  /**
   * Size of the result (characters, bytes, entries), charged before the call. By default the real size is charged after it, so
   * state it where a short call makes a long result: `lists.range`, `join`, `replace`.
   */
  readonly size?: (...args: never[]) => number;
  /**
   * True if values of type parameters (and dyn) are only passed on, counted or reordered, never looked into: `size`, `first`, `reverse`.
   * Otherwise they are made complete first (an object from a schema becomes one with timestamps and doubles), which costs its size.
   */
  readonly passes?: boolean;
  /** True if the items of lists are not looked at to choose this overload: the code tells wrong ones itself. */
  readonly anyItems?: boolean;
  /** True if the code gives a `Value` as it is, which may be of another type than declared: the greatest of a mixed list. */
  readonly boxed?: boolean;
  /**
   * Looks at the arguments as written, once, when the expression is checked: wrong constants (a pattern that does not compile, a format that
   * does not fit its list) are reported as `argument` errors at that argument.
   */
  readonly validate?: (args: readonly Argument[]) => readonly ArgumentFault[];
  /** Prepares constant arguments once (compiles a constant pattern). Undefined: nothing to gain. Must not throw. */
  readonly prepare?: (args: readonly Argument[]) => Implementation | undefined;
}

/** An argument as the checker sees it (the receiver is the first). */
export interface Argument {
  readonly type: Type;
  /** The value of a literal (string, number, bool, bytes, null; also a negative number). */
  readonly literal: Value | undefined;
  /** The elements of a list literal; an optional entry is one of optional type. */
  readonly items: readonly Argument[] | undefined;
  readonly span: Stretch;
}

/** What is wrong with an argument as written. */
export interface ArgumentFault {
  readonly message: string;
  readonly hint?: string;
  /** Where; the whole call if absent. */
  readonly span?: Stretch;
}

/** Declares a function. */
export function define(name: string, declaration: Omit<FunctionDeclaration, 'name'>): FunctionDeclaration {
  return { name, ...declaration };
}

/**
 * Declares an overload by its signature, parsed once when the module loads:
 * `name(params) -> result` (global), `namespace.name(params) -> result`, or `Receiver.name(params) -> result`, where the receiver is
 * a type: `string.split(string, int) -> list(string)`, `base64.encode(bytes) -> string`, `list(T).first() -> optional_type(T)`,
 * `kubernetes.Quantity.add(int) -> kubernetes.Quantity`. Types: bool int uint double string bytes null dyn timestamp duration (or
 * `google.protobuf.Timestamp`), list(T), map(K, V), optional_type(T), type(T), single capital letters for type parameters, and any
 * dotted name that begins with `kubernetes.` or `net.` for opaque types.
 */
export function overload(signature: string, implement: Implementation, options: Omit<Overload, 'signature' | 'implement'> = {}): Overload {
  return { signature: parseSignature(signature), implement, ...options };
}

/** The opaque type of a name, for `OpaqueKind.type`. */
export function opaqueNamed(name: string): OpaqueType {
  return { kind: 'opaque', name };
}

/** The cost of reading a text that has a syntax of its own: a time, an address, a version. It takes some microseconds, however short the text is. */
export const reading = { cost: (text: string): number => 10 + (text.length >> 2) };
