import { type Adapter, adapterOf } from './adapt.ts';
import type { ComprehensionForm } from './ast.ts';
import { COST_OF_FAILURE, errorAt, type Frame, isFinal, type Step } from './step.ts';
import type { Stretch } from './stretch.ts';
import type { Type } from './type.ts';
import { isList, isMap, MapValue, mapEntries, mapGet, mapSize, type Value } from './value.ts';

/** What a loop is made of: planned range, condition and body with where they stand, and the slots of its names. */
export interface LoopParts {
  readonly form: ComprehensionForm;
  /** The macro as written, for messages. */
  readonly macro: string;
  readonly rangeSpan: Stretch;
  readonly conditionSpan: Stretch;
  readonly bodySpan: Stretch;
  readonly range: Step;
  readonly rangeType: Type;
  readonly condition: Step | undefined;
  readonly body: Step;
  readonly slots: readonly number[];
}

/** The closure of a loop. Every item costs a step of the budget. */
export function planLoop(parts: LoopParts): Step {
  switch (parts.form) {
    case 'all':
      return planSearch(parts, false);
    case 'exists':
      return planSearch(parts, true);
    case 'existsOne':
      return planExistsOne(parts);
    case 'filter':
      return planFilter(parts);
    case 'list':
      return planList(parts);
    case 'map':
      return planMap(parts);
    case 'mapEntry':
      return planMapEntry(parts);
    default:
      return parts.form satisfies never;
  }
}

/** Puts item number `at` of a range into the slots of the loop. */
type Bind = (frame: Frame, at: number) => void;

interface Items {
  readonly length: number;
  readonly bind: Bind;
}

/** Opens a range: how many items, and how each gets into the slots. */
function planItems({ macro, range, rangeSpan, rangeType, slots }: LoopParts): (frame: Frame) => Items {
  const [first = 0, second] = slots;
  const adapt = itemAdapter(rangeType);
  return (frame) => {
    const source = range(frame);
    if (isList(source)) {
      const bind: Bind = (at, index) => {
        const item = source[index] as Value;
        const value = adapt === undefined ? item : adapt(item, at.budget);
        if (second === undefined) at.locals[first] = value;
        else {
          at.locals[first] = index;
          at.locals[second] = value;
        }
      };
      return { length: source.length, bind };
    }
    if (!isMap(source)) throw errorAt('overload', `${macro} needs a list or a map`, rangeSpan);
    frame.budget.spend(mapSize(source));
    const entries = [...mapEntries(source)];
    const bind: Bind = (at, index) => {
      const [key, value] = entries[index] as readonly [Value, Value];
      at.locals[first] = key;
      if (second !== undefined) at.locals[second] = adapt === undefined ? value : adapt(value, at.budget);
    };
    return { length: entries.length, bind };
  };
}

function itemAdapter(range: Type): Adapter | undefined {
  if (range.kind === 'list') return adapterOf(range.element);
  if (range.kind === 'map') return adapterOf(range.value);
  return undefined;
}

/** `all` ends at the first false, `exists` at the first true; an error counts only if no such item comes. */
function planSearch(parts: LoopParts, wanted: boolean): Step {
  const open = planItems(parts);
  const { body, macro, bodySpan, range } = parts;
  const [slot = 0] = parts.slots;
  const single = parts.slots.length === 1 && itemAdapter(parts.rangeType) === undefined && parts.rangeType.kind === 'list';
  const decide = (frame: Frame, length: number, bind: Bind | undefined, source: readonly Value[]): Value => {
    let failure: unknown;
    for (let at = 0; at < length; at++) {
      frame.budget.spend(1);
      if (bind === undefined) frame.locals[slot] = source[at] as Value;
      else bind(frame, at);
      try {
        const holds = body(frame);
        if (holds === wanted) return wanted;
        if (typeof holds !== 'boolean') throw errorAt('overload', `${macro} needs a bool`, bodySpan);
      } catch (error) {
        if (isFinal(error)) throw error;
        failure ??= error;
        frame.budget.spend(COST_OF_FAILURE);
      }
    }
    if (failure !== undefined) throw failure;
    return !wanted;
  };
  return (frame) => {
    if (single) {
      const source = range(frame);
      if (isList(source)) return decide(frame, source.length, undefined, source);
    }
    const { length, bind } = open(frame);
    return decide(frame, length, bind, []);
  };
}

function planExistsOne(parts: LoopParts): Step {
  const open = planItems(parts);
  const holds = planCondition(parts.body, parts.macro, parts.bodySpan);
  return (frame) => {
    const { length, bind } = open(frame);
    frame.budget.spend(length);
    let count = 0;
    for (let at = 0; at < length; at++) {
      bind(frame, at);
      if (holds(frame)) count++;
    }
    return count === 1;
  };
}

function planCondition(step: Step, macro: string, span: Stretch): (frame: Frame) => boolean {
  return (frame) => {
    const holds = step(frame);
    if (typeof holds !== 'boolean') throw errorAt('overload', `${macro} needs a bool`, span);
    return holds;
  };
}

function conditionOf({ condition, macro, conditionSpan }: LoopParts): ((frame: Frame) => boolean) | undefined {
  return condition === undefined ? undefined : planCondition(condition, macro, conditionSpan);
}

function planFilter(parts: LoopParts): Step {
  const open = planItems(parts);
  const { body, macro, bodySpan } = parts;
  const [slot = 0] = parts.slots;
  return (frame) => {
    const { length, bind } = open(frame);
    frame.budget.spend(length);
    const kept: Value[] = [];
    for (let at = 0; at < length; at++) {
      bind(frame, at);
      const item = frame.locals[slot] as Value;
      const holds = body(frame);
      if (holds === true) kept.push(item);
      else if (holds !== false) throw errorAt('overload', `${macro} needs a bool`, bodySpan);
    }
    frame.budget.grow(kept.length);
    return kept;
  };
}

function planList(parts: LoopParts): Step {
  const open = planItems(parts);
  const { body } = parts;
  const passes = conditionOf(parts);
  return (frame) => {
    const { length, bind } = open(frame);
    frame.budget.spend(length);
    frame.budget.grow(length);
    const made: Value[] = [];
    for (let at = 0; at < length; at++) {
      bind(frame, at);
      if (passes === undefined || passes(frame)) made.push(body(frame));
    }
    return made;
  };
}

function planMap(parts: LoopParts): Step {
  const open = planItems(parts);
  const { body } = parts;
  const [slot = 0] = parts.slots;
  const passes = conditionOf(parts);
  return (frame) => {
    const { length, bind } = open(frame);
    frame.budget.spend(2 * length);
    frame.budget.grow(2 * length);
    const made = new MapValue();
    for (let at = 0; at < length; at++) {
      bind(frame, at);
      const key = frame.locals[slot] as Value;
      if (passes === undefined || passes(frame)) made.set(key, body(frame));
    }
    return made;
  };
}

function planMapEntry(parts: LoopParts): Step {
  const open = planItems(parts);
  const { body, macro, bodySpan } = parts;
  const passes = conditionOf(parts);
  return (frame) => {
    const { length, bind } = open(frame);
    frame.budget.spend(2 * length);
    const made = new MapValue();
    for (let at = 0; at < length; at++) {
      bind(frame, at);
      if (passes !== undefined && !passes(frame)) continue;
      const entry = body(frame);
      if (!isMap(entry)) throw errorAt('overload', `${macro} needs a map for each item`, bodySpan);
      frame.budget.grow(2 * mapSize(entry));
      for (const [key, value] of mapEntries(entry)) {
        if (mapGet(made, key) !== undefined) throw errorAt('duplicate', 'two items give the same key', bodySpan);
        made.set(key, value);
      }
    }
    return made;
  };
}
