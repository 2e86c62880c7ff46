import { deepAdapterOf, isErased } from './adapt.ts';
import type { Budget } from './budget.ts';
import type { ResolvedCall } from './checked.ts';
import { toInt64, toUint64 } from './int64.ts';
import type { Argument, Implementation, Overload } from './library/declare.ts';
import { sameType } from './relate.ts';
import { errorAt, type Frame, located, type Step } from './step.ts';
import type { Stretch } from './stretch.ts';
import { dynType, type Type } from './type.ts';
import {
  boxDouble,
  Double,
  Duration,
  isDouble,
  isInt,
  isList,
  isMap,
  MapValue,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/** What a call needs: what the checker found, and its planned arguments. */
export interface CallParts {
  readonly span: Stretch;
  readonly call: ResolvedCall;
  readonly args: readonly Step[];
  readonly types: readonly Type[];
  /** Describes the arguments as they are written, for an overload that prepares itself for constants. */
  readonly describe: () => readonly Argument[];
}

/** A call of a library function: arguments are matched and unboxed, costs charged, the result boxed. */
export function planCall(parts: CallParts): Step {
  const { declaration } = parts.call;
  const candidates = overloadsFor(parts).map((overload) => planOverload(overload, parts));
  const [only] = candidates;
  const shown = declaration.shownAs ?? declaration.name;
  return candidates.length === 1 && only !== undefined
    ? callOf(only, parts.args, shown, parts.span)
    : callOfFirst(candidates, parts.args, shown, parts.span);
}

/** Where values decide, an argument that came as dyn may be what another overload takes. */
function overloadsFor({ call: { declaration, overloads }, types }: CallParts): readonly Overload[] {
  const [only] = overloads;
  if (declaration.byValue !== true || only === undefined || only.signature.parameters[0]?.kind === types[0]?.kind) return overloads;
  return declaration.overloads.filter(({ signature }) => signature.receiver === only.signature.receiver);
}

function callOf(candidate: Candidate, args: readonly Step[], shown: string, span: Stretch): Step {
  return (frame) => {
    const values = evaluateAll(args, frame);
    try {
      if (candidate.accepts(values)) return candidate.run(values, frame);
    } catch (error) {
      throw located(error, span);
    }
    throw rejected(shown, span);
  };
}

function callOfFirst(candidates: readonly Candidate[], args: readonly Step[], shown: string, span: Stretch): Step {
  return (frame) => {
    const values = evaluateAll(args, frame);
    try {
      for (const candidate of candidates) if (candidate.accepts(values)) return candidate.run(values, frame);
    } catch (error) {
      throw located(error, span);
    }
    throw rejected(shown, span);
  };
}

function evaluateAll(args: readonly Step[], frame: Frame): Value[] {
  const values: Value[] = [];
  for (const arg of args) values.push(arg(frame));
  return values;
}

function rejected(shown: string, span: Stretch): Error {
  return errorAt('overload', `${shown} does not take values of these types`, span);
}

/** An overload as it is called: with arguments that the checker knows to be of these types. */
class Candidate {
  readonly #matchers: readonly (Matcher | undefined)[];
  readonly #converters: readonly (Converter | undefined)[];
  readonly #implement: (...args: unknown[]) => unknown;
  readonly #box: (made: unknown) => Value;
  readonly #estimate: ((...args: unknown[]) => number) | undefined;
  readonly #size: ((...args: unknown[]) => number) | undefined;

  constructor(overload: Overload, types: readonly (Type | undefined)[], prepared: Implementation | undefined) {
    const { parameters, result } = overload.signature;
    this.#matchers = parameters.map((parameter, at) =>
      overload.anyItems && parameter.kind === 'list' ? isList : matcherOf(parameter, types[at]),
    );
    this.#converters = parameters.map((parameter, at) => converterOf(parameter, types[at], overload));
    this.#implement = (prepared ?? overload.implement) as (...args: unknown[]) => unknown;
    this.#box = boxerOf(overload.boxed ? dynType : result);
    this.#estimate = overload.cost as ((...args: unknown[]) => number) | undefined;
    this.#size = overload.size as ((...args: unknown[]) => number) | undefined;
  }

  accepts(values: readonly Value[]): boolean {
    const matchers = this.#matchers;
    for (let at = 0; at < matchers.length; at++) {
      const matches = matchers[at];
      if (matches !== undefined && !matches(values[at] as Value)) return false;
    }
    return true;
  }

  run(values: Value[], frame: Frame): Value {
    const { budget } = frame;
    const converters = this.#converters;
    const estimate = this.#estimate;
    const size = this.#size;
    const args: unknown[] = values;
    if (estimate === undefined) budget.spend(1 + (sizeOfAll(values) >> 5));
    for (let at = 0; at < converters.length; at++) {
      const convert = converters[at];
      if (convert !== undefined) args[at] = convert(values[at] as Value, budget);
    }
    if (estimate !== undefined) budget.spend(estimate(...args));
    if (size !== undefined) budget.grow(size(...args));
    args.push(budget);
    const implement = this.#implement;
    const value = this.#box(implement(...args));
    if (size === undefined) budget.grow(sizeOf(value));
    return value;
  }
}

/** Candidates that know nothing of their arguments, each made once: most calls are of these. */
const plainCandidates = new WeakMap<Overload, Candidate>();

function planOverload(overload: Overload, { types, describe }: CallParts): Candidate {
  const prepared = overload.prepare?.(describe());
  if (prepared !== undefined || overload.signature.parameters.some((parameter, at) => dependsOn(parameter, types[at], overload))) {
    return new Candidate(overload, types, prepared);
  }
  const known = plainCandidates.get(overload);
  if (known !== undefined) return known;
  const made = new Candidate(overload, [], undefined);
  plainCandidates.set(overload, made);
  return made;
}

/** Whether it matters to matching or converting an argument what the checker knows of it. */
function dependsOn(parameter: Type, known: Type | undefined, overload: Overload): boolean {
  if (parameter.kind === 'list' && overload.anyItems !== true && matcherOf(parameter.element, undefined) !== undefined) return true;
  return overload.passes !== true && known !== undefined && isErased(known, parameter);
}

/** How much of a value there is: characters, bytes, entries. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (isList(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof MapValue) return 2 * value.size;
  if (value instanceof Optional) return value.value === undefined ? 0 : sizeOf(value.value);
  return 0;
}

function sizeOfAll(values: readonly Value[]): number {
  let size = 0;
  for (const value of values) size += sizeOf(value);
  return size;
}

type Matcher = (value: Value) => boolean;

/** Whether a value is of a declared type; undefined where every value is. Elements are looked at only if the checker knows less of them. */
function matcherOf(parameter: Type, known: Type | undefined): Matcher | undefined {
  switch (parameter.kind) {
    case 'dyn':
    case 'error':
    case 'parameter':
      return undefined;
    case 'bool':
      return (value) => typeof value === 'boolean';
    case 'int':
      return isInt;
    case 'uint':
      return (value) => value instanceof Uint;
    case 'double':
      return isDouble;
    case 'string':
      return (value) => typeof value === 'string';
    case 'bytes':
      return (value) => value instanceof Uint8Array;
    case 'null':
      return (value) => value === null;
    case 'timestamp':
      return (value) => value instanceof Timestamp;
    case 'duration':
      return (value) => value instanceof Duration;
    case 'list':
      return listMatcher(parameter.element, known);
    case 'map':
    case 'struct':
      return isMap;
    case 'optional':
      return (value) => value instanceof Optional;
    case 'type':
      return (value) => value instanceof TypeValue;
    case 'opaque':
      return (value) => value instanceof Opaque && value.kind.type.name === parameter.name;
    default:
      return parameter satisfies never;
  }
}

function listMatcher(element: Type, known: Type | undefined): Matcher {
  const matches = matcherOf(element, undefined);
  if (matches === undefined || (known?.kind === 'list' && sameType(known.element, element))) return isList;
  // As cel-go: the first item decides; the code of an overload meets the others.
  return (value) => isList(value) && (value[0] === undefined || matches(value[0]));
}

type Converter = (value: Value, budget: Budget) => unknown;

/** From a value to what an implementation gets; undefined where they are one. */
function converterOf(parameter: Type, known: Type | undefined, overload: Overload): Converter | undefined {
  switch (parameter.kind) {
    case 'uint':
      return (value) => (value instanceof Uint ? value.value : value);
    case 'double':
      return (value) => (value instanceof Double ? value.value : value);
    default:
      // What looks into values must see them as their types say; what only passes them on must not pay for it.
      if (overload.passes === true || known === undefined || !isErased(known, parameter)) return undefined;
      return deepAdapterOf(known);
  }
}

/** From what an implementation gives to a value. */
function boxerOf(result: Type): (made: unknown) => Value {
  switch (result.kind) {
    case 'int':
      return (made) => (typeof made === 'bigint' ? toInt64(made) : (made as number) + 0);
    case 'uint':
      return (made) => new Uint(typeof made === 'bigint' ? toUint64(made) : (made as number));
    case 'double':
      return (made) => boxDouble(made as number);
    default:
      return (made) => made as Value;
  }
}
