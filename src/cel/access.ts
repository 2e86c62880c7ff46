import type { Adapter } from './adapt.ts';
import type { HasNode, IndexNode, SelectNode } from './ast.ts';
import type { EvaluationError, Span } from './error.ts';
import { errorAt, type Frame, located, type MaybeStep, type Step } from './step.ts';
import type { Type } from './type.ts';
import { doubleOf, isInt, isList, isPlainMap, MapValue, mapGet, Optional, type PlainMap, Uint, type Value } from './value.ts';

/** Names that a plain property read could take for something inherited, or for a part of one of our classes. */
const INHERITED = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Array.prototype),
  ...Object.getOwnPropertyNames(Uint8Array.prototype),
  ...Object.getOwnPropertyNames(Object.getPrototypeOf(Uint8Array.prototype)),
  ...[String, Number, Boolean, BigInt, Symbol].flatMap((each) => Object.getOwnPropertyNames(each.prototype)),
]);
const PARTS_OF_VALUES = new Set(['value', 'nanos', 'typeName', 'kind', 'data', 'size', 'get', 'has', 'set', 'entries', 'constructor']);

/** What a property read needs: the operand's type, the property, and the adapter of its type. */
export interface FieldAccess {
  readonly operand: Step;
  readonly type: Type;
  readonly property: string;
  readonly adapter: Adapter | undefined;
  readonly node: SelectNode | HasNode;
}

/** `operand.field`; `missing` if it is not there. */
export function planField(access: FieldAccess): Step {
  const read = planRead(access);
  const { node, property } = access;
  return (frame) => {
    const value = read(frame);
    if (value === undefined) throw missingKey(property, node.fieldSpan);
    return value;
  };
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

function planRead(access: FieldAccess, mode?: 'lenient'): MaybeStep {
  const { operand, property, adapter, node } = access;
  const lenient = mode === 'lenient';
  const isStruct = access.type.kind === 'struct';
  const slow = (value: Value): Value | undefined => readSlowly(value, property, isStruct, lenient, node.fieldSpan);
  const guarded = !isPlainRead(access.type, property);
  const read: MaybeStep = guarded
    ? (frame) => {
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
        return slow(object);
      }
    : (frame) => {
        const object = operand(frame);
        if (typeof object === 'object' && object !== null) {
          const value = (object as { readonly [key: string]: Value | undefined })[property];
          if (value !== undefined && value !== null) return value;
        }
        return slow(object);
      };
  if (adapter === undefined) return read;
  return (frame) => {
    const value = read(frame);
    if (value === undefined) return undefined;
    try {
      return adapter(value, frame.budget);
    } catch (error) {
      throw located(error, node.fieldSpan);
    }
  };
}

/** Whether the property of a value of this type can be read from the JavaScript object without looking at what that is. */
export function isPlainRead(type: Type, property: string): boolean {
  if (INHERITED.has(property)) return false;
  return !PARTS_OF_VALUES.has(property) || (type.kind === 'struct' && type.alsoMap !== true);
}

/** One step of a path: the property, whether it is that of a struct, and where it stands. */
export interface PathField {
  readonly property: string;
  readonly isStruct: boolean;
  readonly span: Span;
}

/** `variable.a.b.c` in one closure. Whatever is unusual on the way is looked at step by step, which knows what to say. */
export function planPath(variable: string, span: Span, fields: readonly PathField[]): Step {
  const peek = planPeek(variable, fields);
  return (frame) => (peek(frame) as Value | undefined | null) ?? walkPath(frame, variable, span, fields);
}

/** `has(variable.a.b.c)` likewise. */
export function planHasPath(variable: string, span: Span, fields: readonly PathField[]): Step {
  const peek = planPeek(variable, fields);
  const before = fields.slice(0, -1);
  const last = fields.at(-1);
  return (frame) => {
    const value = peek(frame);
    if (value !== undefined && value !== null) return true;
    const object = walkPath(frame, variable, span, before);
    return last !== undefined && readSlowly(object, last.property, last.isStruct, true, last.span) !== undefined;
  };
}

type Fields = { readonly [key: string]: unknown } | undefined | null;

/** The value at the end of a path if everything on the way is there; null or undefined says nothing. */
function planPeek(variable: string, fields: readonly PathField[]): (frame: Frame) => unknown {
  const [first = '', second = '', third = ''] = fields.map((field) => field.property);
  switch (fields.length) {
    case 1:
      return (frame) => (frame.bindings(variable) as Fields)?.[first];
    case 2:
      return (frame) => ((frame.bindings(variable) as Fields)?.[first] as Fields)?.[second];
    case 3:
      return (frame) => (((frame.bindings(variable) as Fields)?.[first] as Fields)?.[second] as Fields)?.[third];
    default:
      return (frame) => {
        let value: unknown = frame.bindings(variable);
        for (const { property } of fields) value = (value as Fields)?.[property];
        return value;
      };
  }
}

function walkPath(frame: Frame, variable: string, span: Span, fields: readonly PathField[]): Value {
  let value = frame.bindings(variable);
  if (value === undefined) throw missingVariable(variable, span);
  for (const field of fields) {
    value = readSlowly(value, field.property, field.isStruct, false, field.span);
    if (value === undefined) throw missingKey(field.property, field.span);
  }
  return value;
}

/** A variable that has no value yet. */
export function missingVariable(name: string, span: Span): EvaluationError {
  return errorAt('missing', `"${name}" is not there yet`, span);
}

/** Every case that a plain property read does not decide. */
function readSlowly(object: Value, property: string, isStruct: boolean, lenient: boolean, span: Span): Value | undefined {
  if (isPlainMap(object)) {
    const value = Object.hasOwn(object, property) ? object[property] : undefined;
    return value === null && isStruct ? undefined : value;
  }
  if (object instanceof MapValue) {
    const value = object.get(property);
    return value === null && isStruct ? undefined : value;
  }
  if (object instanceof Optional) {
    const value = object.value === undefined ? undefined : readSlowly(object.value, property, isStruct, true, span);
    // A dyn value may be an optional: then so is its field.
    return lenient ? value : optionalOf(value);
  }
  if (lenient && !isList(object)) return undefined;
  throw errorAt('overload', `no field "${property}": the value is no object`, span);
}

function optionalOf(value: Value | undefined): Optional {
  return value === undefined ? Optional.NONE : Optional.of(value);
}

/** A key that is not there: named when the expression spells it. */
export function missingKey(key: string, span: Span): EvaluationError {
  return errorAt('missing', `no such key "${key}"`, span);
}

/** What an index read needs. */
export interface IndexAccess {
  readonly operand: Step;
  readonly index: Step;
  readonly adapter: Adapter | undefined;
  readonly node: IndexNode;
}

/** `operand[index]`; `missing` if it is not there. */
export function planIndex(access: IndexAccess): Step {
  const { operand, index, adapter, node } = access;
  const read = (frame: Frame): Value => {
    const container = operand(frame);
    const key = index(frame);
    if (typeof key === 'number' && isList(container)) {
      const item = container[key];
      if (item !== undefined) return item;
    }
    const value = readIndex(container, key, node.index.span);
    if (value === undefined) throw missingIndex(container, key, node);
    return value;
  };
  return adapter === undefined ? read : adapted(read, adapter, node.span);
}

/** `operand[?index]`: undefined if it is not there. */
export function planOptionalIndex(access: IndexAccess): MaybeStep {
  const { operand, index, adapter, node } = access;
  return (frame) => {
    const value = readIndex(operand(frame), index(frame), node.index.span, 'lenient');
    return value === undefined || adapter === undefined ? value : adapter(value, frame.budget);
  };
}

function adapted(read: Step, adapter: Adapter, span: Span): Step {
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
export function readIndex(container: Value, key: Value, span: Span, mode?: 'lenient'): Value | undefined {
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

/** The position that a value means in a list: an int, or a whole number of another type. */
function listIndex(key: Value, span: Span): number {
  if (isInt(key)) return Number(key);
  if (key instanceof Uint) return Number(key.value);
  const double = doubleOf(key);
  if (double === undefined) throw errorAt('overload', 'a list is indexed by an int', span);
  if (!Number.isInteger(double)) throw errorAt('argument', 'a list is indexed by a whole number', span);
  return double;
}

function missingIndex(container: Value, key: Value, node: IndexNode): EvaluationError {
  if (isList(container)) return errorAt('missing', 'index out of bounds', node.index.span);
  const isSpelled = node.index.kind === 'literal';
  const error = isSpelled ? missingKey(keyText(key), node.index.span) : errorAt('missing', 'no such key', node.index.span);
  error.key = key;
  return error;
}

/** A key as text. */
export function keyText(key: Value): string {
  if (key instanceof Uint) return String(key.value);
  const double = doubleOf(key);
  return double !== undefined ? String(double) : typeof key === 'symbol' || typeof key === 'object' ? 'of this kind' : String(key);
}
