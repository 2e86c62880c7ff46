import { isList, Optional, type Value } from '../cel/value.ts';
import type { Dimension, ProgramNode } from '../compiler/program.ts';
import { type Evaluation, type EvaluationContext, evaluate, misfit } from './evaluate.ts';
import { type Locals, NO_LOCALS } from './scope.ts';

const ONE_ITEM: readonly Locals[] = [NO_LOCALS];

/**
 * The bindings of a node, one per item: the product of its dimensions, the last fastest (graph.md 5). One empty binding if it is no
 * collection. More items than `limit` are a hard failure, found before any is built.
 */
export function expand(node: ProgramNode, context: EvaluationContext, limit: number): Evaluation<readonly Locals[]> {
  if (node.forEach.length === 0) return { word: 'value', value: ONE_ITEM };
  const lists: (readonly Value[])[] = [];
  let size = 1;
  for (const dimension of node.forEach) {
    const list = listOf(dimension, context);
    if (list.word !== 'value') return list;
    size *= list.value.length;
    lists.push(list.value);
  }
  const [first] = node.forEach;
  if (size > limit && first !== undefined) return misfit(first.list, `forEach gives ${size} items, at most ${limit} are allowed`);
  return { word: 'value', value: product(node.forEach, lists, size) };
}

function listOf(dimension: Dimension, context: EvaluationContext): Evaluation<readonly Value[]> {
  const result = evaluate(dimension.list, NO_LOCALS, context);
  if (result.word !== 'value') return result;
  const value = result.value instanceof Optional ? (result.value.value ?? []) : result.value;
  if (isList(value)) return { word: 'value', value };
  return misfit(dimension.list, `forEach expects a list for "${dimension.iterator}"`);
}

function product(dimensions: readonly Dimension[], lists: readonly (readonly Value[])[], size: number): readonly Locals[] {
  const bindings: Locals[] = [];
  for (let item = 0; item < size; item++) {
    const binding: [string, Value][] = [];
    let rest = item;
    for (let at = dimensions.length - 1; at >= 0; at--) {
      const list = lists[at] ?? [];
      const value = list[rest % list.length];
      const dimension = dimensions[at];
      if (value !== undefined && dimension !== undefined) binding.push([dimension.iterator, value]);
      rest = Math.floor(rest / list.length);
    }
    bindings.push(new Map(binding.reverse()));
  }
  return bindings;
}
