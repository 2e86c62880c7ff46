import type { JsonObject, JsonValue } from '../api/object.ts';
import { Budget } from '../cel/budget.ts';
import { EvaluationError, fail } from '../cel/error.ts';
import { printGoDuration, printTimestamp } from '../cel/temporal.ts';
import { printType, type Type } from '../cel/type.ts';
import {
  Double,
  Duration,
  isList,
  MapValue,
  mapEntries,
  type OMIT,
  Opaque,
  Optional,
  type PlainMap,
  sourceOf,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../cel/value.ts';

/**
 * The JSON of a value (graph.md 7); undefined if it is `omit()`, which also leaves out fields and elements. Objects from the cluster that
 * need no change are given back as they are. Throws EvaluationError for what JSON cannot hold.
 */
export function toJson(value: Value, type: Type, budget: Budget = new Budget()): JsonValue | undefined {
  try {
    return convert(value, budget);
  } catch (error) {
    if (error instanceof RangeError) throw new EvaluationError('limit', 'the value nests too deep for JSON');
    if (error instanceof EvaluationError && error.code === 'argument') error.message += ` (the expression is ${printType(type)})`;
    throw error;
  }
}

function convert(value: Value, budget: Budget): JsonValue | undefined {
  budget.spend(1);
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw fail('argument', 'JSON has no NaN and no infinity');
      return value;
    case 'symbol':
      return undefined;
    default:
      return value === null ? null : convertObject(value, budget);
  }
}

function convertObject(
  value: Exclude<Value, null | string | boolean | number | bigint | typeof OMIT>,
  budget: Budget,
): JsonValue | undefined {
  if (isList(value)) return convertList(value, budget);
  if (value instanceof Double) return value.value;
  if (value instanceof Uint) return value.value;
  if (value instanceof Uint8Array) return base64(value, budget);
  if (value instanceof Timestamp) return printTimestamp(value);
  if (value instanceof Duration) return printGoDuration(value);
  if (value instanceof Optional) return value.value === undefined ? null : convert(value.value, budget);
  if (value instanceof MapValue) return convertMap(value, budget);
  if (value instanceof TypeValue) throw fail('argument', 'JSON cannot hold a type');
  if (value instanceof Opaque) throw fail('argument', `JSON cannot hold a ${value.kind.type.name}: take its text or number`);
  return convertPlain(sourceOf(value as PlainMap), budget);
}

function convertList(list: readonly Value[], budget: Budget): readonly JsonValue[] {
  let changed = false;
  const converted: JsonValue[] = [];
  for (const item of list) {
    const json = convert(item, budget);
    if (json !== item) changed = true;
    if (json !== undefined) converted.push(json);
  }
  return changed ? converted : (list as readonly JsonValue[]);
}

function convertMap(map: MapValue, budget: Budget): JsonObject {
  const object: Record<string, JsonValue> = {};
  for (const [key, item] of map.entries()) {
    if (typeof key !== 'string') throw fail('argument', 'a JSON object has strings as keys only');
    const json = convert(item, budget);
    if (json !== undefined) define(object, key, json);
  }
  return object;
}

function convertPlain(map: PlainMap, budget: Budget): JsonObject {
  let changed = false;
  const object: Record<string, JsonValue> = {};
  for (const [key, item] of mapEntries(map)) {
    const json = convert(item, budget);
    if (json !== item) changed = true;
    if (json !== undefined) define(object, key as string, json);
  }
  return changed ? object : (map as JsonObject);
}

/** Sets a field whatever its name is: `__proto__` too is a field. */
function define(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

function base64(bytes: Uint8Array, budget: Budget): string {
  budget.grow(bytes.length);
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
