import type { Adapter } from './adapt.ts';
import type { EvaluationError } from './error.ts';
import { MAX_INT64, MIN_INT64 } from './int64.ts';
import { printDouble } from './number-text.ts';
import { errorAt, type Frame, located, type MaybeStep, type Step } from './step.ts';
import type { Stretch } from './stretch.ts';
import { dropsNull, type Type } from './type.ts';
import { doubleOf, isInt, isList, isPlainMap, MapValue, mapGet, Optional, type PlainMap, Uint, type Value } from './value.ts';

/** Names that a plain property read could take for something inherited, or for a part of one of our classes. */
const INHERITED = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Array.prototype),
  ...Object.getOwnPropertyNames(Uint8Array.prototype),
  ...Object.getOwnPropertyNames(Object.getPrototypeOf(Uint8Array.prototype)),
  ...[String, Number, Boolean, BigInt, Symbol].flatMap((each) => Object.getOwnPropertyNames(each.prototype)),
]);
const PARTS_OF_VALUES = new Set([
  'value',
  'nanos',
  'secondsEast',
  'typeName',
  'kind',
  'data',
  'size',
  'get',
  'has',
  'set',
  'entries',
  'constructor',
]);

/** What a property read needs: the operand's type, the property, the adapter of its type, and where the field is named. */
export interface FieldAccess {
  readonly operand: Step;
  readonly type: Type;
  readonly property: string;
  readonly adapter: Adapter | undefined;
  readonly span: Stretch;
}

/** `operand.field`; `missing` if it is not there. */
export function planField(access: FieldAccess): Step {
  return planRead(access) as Step;
}

/** `operand.?field`: undefined if it is not there. */
export function planOptionalField(access: FieldAccess): MaybeStep {
  return planRead(access, 'lenient');
}

/** `has(operand.field)`. */
export function planHas(access: FieldAccess): Step {
  const read = planRead({ ...access, adapter: undefined }, 'lenient');
  return (frame) => read(frame) !== undefined;
}

/** A lenient read gives undefined for what is not there; every other fails. */
function planRead({ operand, type, property, adapter, span }: FieldAccess, mode?: 'lenient'): MaybeStep {
  const target = { property, dropsNull: dropsNull(type, property), lenient: mode === 'lenient', place: span };
  const read = isPlainRead(type, property) ? plainRead(operand, target) : guardedRead(operand, target);
  return adapter === undefined ? read : adaptedRead(read, adapter, span);
}

interface ReadTarget extends PathField {
  readonly lenient: boolean;
}

function plainRead(operand: Step, target: ReadTarget): MaybeStep {
  const { property } = target;
  return (frame) => {
    const object = operand(frame);
    if (typeof object === 'object' && object !== null) {
      const value = (object as { readonly [key: string]: Value | undefined })[property];
      if (value !== undefined && value !== null) return value;
    }
    return readOtherwise(object, target);
  };
}

function guardedRead(operand: Step, target: ReadTarget): MaybeStep {
  const { property } = target;
  return (frame) => {
    const object = operand(frame);
    if (
      typeof object === 'object' &&
      object !== null &&
      Object.getPrototypeOf(object) === Object.prototype &&
      Object.hasOwn(object, property)
    ) {
      const value = (object as PlainMap)[property];
      if (value !== undefined && value !== null) return value;
    }
    return readOtherwise(object, target);
  };
}

function readOtherwise(object: Value, target: ReadTarget): Value | undefined {
  const value = readSlowly(object, target, target.lenient);
  if (value === undefined && !target.lenient) throw missingKey(target.property, target.place);
  return value;
}

function adaptedRead(read: MaybeStep, adapter: Adapter, span: Stretch): MaybeStep {
  return (frame) => {
    const value = read(frame);
    if (value === undefined) return undefined;
    try {
      return adapter(value, frame.budget);
    } catch (error) {
      throw located(error, span);
    }
  };
}

/** Whether the property of a value of this type can be read from the JavaScript object without looking at what that is. */
export function isPlainRead(type: Type, property: string): boolean {
  if (INHERITED.has(property)) return false;
  return !PARTS_OF_VALUES.has(property) || (type.kind === 'struct' && type.alsoMap !== true);
}

/** One step of a path: the property, whether null in it is nothing, and where it stands. */
export interface PathField {
  readonly property: string;
  readonly dropsNull: boolean;
  readonly place: Stretch;
}

/**
 * `variable.a.b.c`, and where the variable stands. A Graph holds hundreds of paths, so a field is two words: its property, and a number that
 * says where it stands and whether null in it is nothing. Only an error asks for that.
 */
export class VariablePath {
  readonly variable: string;
  readonly place: Stretch;
  readonly #fields: (string | number)[];

  constructor(variable: string, place: Stretch, length: number) {
    this.variable = variable;
    this.place = place;
    this.#fields = new Array<string | number>(2 * length);
  }

  get length(): number {
    return this.#fields.length / 2;
  }

  property(at: number): string {
    return this.#fields[2 * at] as string;
  }

  field(at: number): PathField {
    const number = this.#fields[2 * at + 1] as number;
    return { property: this.property(at), dropsNull: number % 2 === 1, place: Math.floor(number / 2) as Stretch };
  }

  setField(at: number, { property, dropsNull, place }: PathField): void {
    this.#fields[2 * at] = property;
    this.#fields[2 * at + 1] = place * 2 + Number(dropsNull);
  }
}

/** `variable.a.b.c` in one closure. Whatever is unusual on the way is looked at step by step, which knows what to say. */
export function planPath(path: VariablePath): Step {
  switch (path.length) {
    case 1:
      return pathOfOne(path, path.property(0));
    case 2:
      return pathOfTwo(path, path.property(0), path.property(1));
    case 3:
      return pathOfThree(path, path.property(0), path.property(1), path.property(2));
    default:
      return (frame) => peekAlong(frame, path) ?? walkPath(frame, path, path.length);
  }
}

// Each closure in a function of its own: it holds what it reads and no more.

function pathOfOne(path: VariablePath, first: string): Step {
  return (frame) => (frame.bindings(path.variable) as Fields)?.[first] ?? walkPath(frame, path, 1);
}

function pathOfTwo(path: VariablePath, first: string, second: string): Step {
  return (frame) => ((frame.bindings(path.variable) as Fields)?.[first] as Fields)?.[second] ?? walkPath(frame, path, 2);
}

function pathOfThree(path: VariablePath, first: string, second: string, third: string): Step {
  return (frame) =>
    (((frame.bindings(path.variable) as Fields)?.[first] as Fields)?.[second] as Fields)?.[third] ?? walkPath(frame, path, 3);
}

/** `has(variable.a.b.c)` likewise. */
export function planHasPath(path: VariablePath): Step {
  const peek = planPeek(path);
  const last = path.length - 1;
  return (frame) => {
    const value = peek(frame);
    if (value !== undefined && value !== null) return true;
    return readSlowly(walkPath(frame, path, last), path.field(last), true) !== undefined;
  };
}

type Fields = { readonly [key: string]: Value | undefined } | undefined | null;

/** The value at the end of a path if everything on the way is there; null or undefined says nothing. */
function planPeek(path: VariablePath): (frame: Frame) => Value | undefined {
  const { variable, length } = path;
  const [first, second, third] = [path.property(0), path.property(1), path.property(2)];
  switch (length) {
    case 1:
      return (frame) => (frame.bindings(variable) as Fields)?.[first];
    case 2:
      return (frame) => ((frame.bindings(variable) as Fields)?.[first] as Fields)?.[second];
    case 3:
      return (frame) => (((frame.bindings(variable) as Fields)?.[first] as Fields)?.[second] as Fields)?.[third];
    default:
      return (frame) => peekAlong(frame, path);
  }
}

function peekAlong(frame: Frame, path: VariablePath): Value | undefined {
  let value = frame.bindings(path.variable);
  for (let at = 0; at < path.length; at++) value = (value as Fields)?.[path.property(at)];
  return value;
}

/** The value after so many fields. */
function walkPath(frame: Frame, path: VariablePath, length: number): Value {
  let value = frame.bindings(path.variable);
  if (value === undefined) throw missingVariable(path.variable, path.place);
  for (let at = 0; at < length; at++) {
    const field = path.field(at);
    value = readSlowly(value, field, false);
    if (value === undefined) throw missingKey(field.property, field.place);
  }
  return value;
}

/** A variable that has no value yet. */
export function missingVariable(name: string, span: Stretch): EvaluationError {
  return errorAt('missing', `"${name}" is not there yet`, span);
}

/** Every case that a plain property read does not decide. */
function readSlowly(object: Value, field: PathField, lenient: boolean): Value | undefined {
  const { property, dropsNull } = field;
  if (isPlainMap(object)) {
    const value = Object.hasOwn(object, property) ? object[property] : undefined;
    return value === null && dropsNull ? undefined : value;
  }
  if (object instanceof MapValue) {
    const value = object.get(property);
    return value === null && dropsNull ? undefined : value;
  }
  if (object instanceof Optional) {
    const value = object.value === undefined ? undefined : readSlowly(object.value, field, true);
    // A dyn value may be an optional: then so is its field.
    return lenient ? value : optionalOf(value);
  }
  if (lenient && !isList(object)) return undefined;
  throw errorAt('overload', `no field "${property}": the value is no object`, field.place);
}

function optionalOf(value: Value | undefined): Optional {
  return value === undefined ? Optional.NONE : Optional.of(value);
}

/** A key that is not there: named when the expression spells it. */
export function missingKey(key: string, span: Stretch): EvaluationError {
  return errorAt('missing', `no such key "${key}"`, span);
}

/** What an index read needs. */
export interface IndexAccess {
  readonly operand: Step;
  readonly index: Step;
  readonly adapter: Adapter | undefined;
  readonly span: Stretch;
  readonly indexSpan: Stretch;
  /** The index is a literal. */
  readonly isSpelled: boolean;
}

/** `operand[index]`; `missing` if it is not there. Of an optional that has no value the index is not evaluated (as in cel-go). */
export function planIndex(access: IndexAccess): Step {
  const { operand, index, adapter, indexSpan } = access;
  const read = (frame: Frame): Value => {
    const container = operand(frame);
    if (isNone(container)) return Optional.NONE;
    const key = index(frame);
    if (typeof key === 'number' && isList(container)) {
      const item = container[key];
      if (item !== undefined) return item;
    }
    const value = readIndex(container, key, indexSpan);
    if (value === undefined) throw missingIndex(container, key, access);
    return value;
  };
  return adapter === undefined ? read : adaptedAt(read, adapter, access.span);
}

/** `operand[?index]`: undefined if it is not there. Where there is nothing to read the index of, it is not evaluated (as in cel-go). */
export function planOptionalIndex(access: IndexAccess): MaybeStep {
  const { operand, index, adapter, indexSpan } = access;
  return (frame) => {
    const container: Value | undefined = operand(frame);
    if (container === undefined || isNone(container)) return undefined;
    const value = readIndex(container, index(frame), indexSpan, 'lenient');
    return value === undefined || adapter === undefined ? value : adapter(value, frame.budget);
  };
}

function isNone(value: Value): boolean {
  return value instanceof Optional && value.value === undefined;
}

function adaptedAt(read: Step, adapter: Adapter, span: Stretch): Step {
  return (frame) => {
    const value = read(frame);
    try {
      return adapter(value, frame.budget);
    } catch (error) {
      throw located(error, span);
    }
  };
}

/** The value at an index or key, or undefined if there is none. `lenient`: also if the operand has no index at all. */
export function readIndex(container: Value, key: Value, span: Stretch, mode?: 'lenient'): Value | undefined {
  if (typeof key !== 'string' && !isQualifier(key)) throw errorAt('overload', 'an index or key is a string, bool or number', span);
  if (isList(container)) return container[listIndex(key, span)];
  if (container instanceof Optional) {
    const value = container.value === undefined ? undefined : readIndex(container.value, key, span, 'lenient');
    return mode === 'lenient' ? value : optionalOf(value);
  }
  if (container instanceof MapValue) return container.get(key);
  if (isPlainMap(container)) return mapGet(container, key);
  if (mode === 'lenient') return undefined;
  throw errorAt('overload', 'the value has no index: it is no list or map', span);
}

/** Whether a value may stand in an index at all, whatever it is an index of. */
function isQualifier(key: Value): boolean {
  return typeof key === 'string' || typeof key === 'boolean' || isInt(key) || key instanceof Uint || doubleOf(key) !== undefined;
}

/** The position that a value means in a list: an int, or a number of another type that is one. */
function listIndex(key: Value, span: Stretch): number {
  if (isInt(key)) return Number(key);
  const number = key instanceof Uint ? key.value : doubleOf(key);
  if (number === undefined) throw errorAt('overload', 'a list is indexed by an int', span);
  const isInt64 = number >= MIN_INT64 && number <= MAX_INT64 && (typeof number === 'bigint' || Number.isInteger(number));
  if (!isInt64) throw errorAt('argument', 'a list is indexed by an int', span);
  return Number(number);
}

function missingIndex(container: Value, key: Value, { indexSpan, isSpelled }: IndexAccess): EvaluationError {
  if (isList(container)) return errorAt('missing', 'index out of bounds', indexSpan);
  const error = isSpelled ? missingKey(keyText(key), indexSpan) : errorAt('missing', 'no such key', indexSpan);
  error.key = key;
  return error;
}

/** A key as text. */
export function keyText(key: Value): string {
  if (key instanceof Uint) return String(key.value);
  const double = doubleOf(key);
  return double !== undefined ? printDouble(double) : typeof key === 'symbol' || typeof key === 'object' ? 'of this kind' : String(key);
}
