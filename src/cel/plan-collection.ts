import type { Ast } from './ast.ts';
import { yielding } from './plan-control.ts';
import type { Planning } from './planning.ts';
import { errorAt, type MaybeStep, type Step } from './step.ts';
import type { Stretch } from './stretch.ts';
import { isInt, MapValue, Uint, type Value } from './value.ts';

/** A list literal: one value for all evaluations if it is constant. */
export function planList(planning: Planning, node: Ast & { kind: 'list' }): Step {
  const constant = constantOf(node);
  if (constant !== undefined) return yielding(constant);
  const type = planning.checked.valueTypeOf(node);
  const element = type.kind === 'list' ? type.element : type;
  const items = node.items.map(({ value, optional }) =>
    optional ? planning.planMaybeAs(value, element) : planning.planAs(value, element),
  );
  return stepOfList(items);
}

function stepOfList(items: readonly MaybeStep[]): Step {
  return (frame) => {
    frame.budget.grow(items.length);
    const list: Value[] = [];
    for (const item of items) {
      const value = item(frame);
      if (value !== undefined) list.push(value);
    }
    return list;
  };
}

/** A map literal; the same key twice is an error. An optional entry without a value removes what stood there before (as in cel-go). */
export function planMap(planning: Planning, node: Ast & { kind: 'map' }): Step {
  const type = planning.checked.valueTypeOf(node);
  const valueType = type.kind === 'map' ? type.value : type;
  const entries = node.entries.map(
    ({ key, value, optional }): Entry => ({
      key: planning.plan(key),
      value: optional ? planning.planMaybeAs(value, valueType) : planning.planAs(value, valueType),
      span: key.span,
    }),
  );
  return stepOfMap(entries);
}

interface Entry {
  readonly key: Step;
  readonly value: MaybeStep;
  readonly span: Stretch;
}

function stepOfMap(entries: readonly Entry[]): Step {
  return (frame) => {
    frame.budget.grow(2 * entries.length);
    const map = new MapValue();
    for (const entry of entries) {
      const key = entry.key(frame);
      if (!isKey(key)) throw errorAt('argument', 'a map key is a string, int, uint or bool', entry.span);
      const value = entry.value(frame);
      if (value === undefined) {
        map.delete(key);
        continue;
      }
      if (map.has(key)) throw errorAt('duplicate', 'the map has this key already', entry.span);
      map.set(key, value);
    }
    return map;
  };
}

function isKey(value: Value): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || isInt(value) || value instanceof Uint;
}

/** The value of a literal, or of a list of literals of one type. */
export function constantOf(node: Ast): Value | undefined {
  if (node.kind === 'literal') return node.value;
  if (node.kind !== 'list') return undefined;
  const values: Value[] = [];
  for (const item of node.items) {
    const value = item.optional ? undefined : constantOf(item.value);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}
