import type { Budget } from '../cel/budget.ts';
import { EvaluationError } from '../cel/error.ts';
import { printSeconds, printTimestamp } from '../cel/temporal.ts';
import {
  Duration,
  doubleOf,
  isInt,
  isList,
  isMap,
  mapEntries,
  OMIT,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../cel/value.ts';

/** A value with its CEL type as the one key: `{"int": "1"}`, for tools that must tell 1 from 1.0. */
export function tagValue(value: Value, budget: Budget): unknown {
  budget.spend(1);
  if (value === null) return { null: null };
  if (value === OMIT) return { omit: true };
  if (typeof value === 'boolean') return { bool: value };
  if (typeof value === 'string') return { string: value };
  if (isInt(value)) return { int: String(value) };
  const double = doubleOf(value);
  if (double !== undefined) return { double: tagDouble(double) };
  if (value instanceof Uint) return { uint: String(value.value) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (isList(value)) return { list: value.map((item) => tagValue(item, budget)) };
  if (value instanceof Timestamp) return { timestamp: printTimestamp(value) };
  if (value instanceof Duration) return { duration: printSeconds(value) };
  if (value instanceof Optional) return { optional: value.value === undefined ? null : tagValue(value.value, budget) };
  if (value instanceof TypeValue) return { type: value.typeName };
  if (value instanceof Opaque) return { [value.kind.tag]: value.kind.print(value.data) };
  if (isMap(value)) return { map: Array.from(mapEntries(value), ([key, item]) => [tagValue(key, budget), tagValue(item, budget)]) };
  throw new EvaluationError('argument', 'the value has no tag');
}

function tagDouble(value: number): number | string {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
}
