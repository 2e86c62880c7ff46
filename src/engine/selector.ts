import type { JsonObject, JsonValue } from '../api/object.ts';

/** One requirement of a label selector. */
interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

/** A label selector in the form that is matched here, and as a query parameter of the API server. */
export interface LabelSelector {
  readonly query: string;
  matches(labels: Readonly<Record<string, string>>): boolean;
}

/** Reads a rendered selector; the text says what is wrong with one that is none. Null, absent or misspelt is never 'all' (graph.md 9). */
export function readSelector(selector: JsonValue | undefined): LabelSelector | string {
  if (!isObject(selector)) return 'selector: expected a label selector, found null or another type ({} selects all)';
  const unknown = Object.keys(selector).find((field) => field !== 'matchLabels' && field !== 'matchExpressions');
  if (unknown !== undefined) return `selector: unknown field "${unknown}", expected matchLabels and matchExpressions`;
  const requirements: Requirement[] = [];
  const labels = selector['matchLabels'];
  if (labels !== undefined) {
    if (!isObject(labels)) return 'selector.matchLabels: expected a map of strings';
    for (const [key, value] of Object.entries(labels)) {
      if (typeof value !== 'string') return `selector.matchLabels["${key}"]: expected a string`;
      requirements.push({ key, operator: 'In', values: [value] });
    }
  }
  const expressions = selector['matchExpressions'];
  if (expressions !== undefined) {
    if (!isList(expressions)) return 'selector.matchExpressions: expected a list';
    for (const [at, expression] of expressions.entries()) {
      const requirement = readRequirement(expression);
      if (typeof requirement === 'string') return `selector.matchExpressions[${at}]: ${requirement}`;
      requirements.push(requirement);
    }
  }
  return { query: requirements.map(print).join(','), matches: (live) => requirements.every((requirement) => holds(requirement, live)) };
}

function readRequirement(value: JsonValue): Requirement | string {
  if (!isObject(value)) return 'expected key, operator and values';
  const { key, operator, values } = value;
  if (typeof key !== 'string' || key === '') return 'expected a key';
  if (operator !== 'In' && operator !== 'NotIn' && operator !== 'Exists' && operator !== 'DoesNotExist')
    return 'operator must be In, NotIn, Exists or DoesNotExist';
  const texts = values === undefined || values === null ? [] : values;
  if (!isList(texts)) return 'values: expected a list of strings';
  const strings = texts.filter((text) => typeof text === 'string');
  if (strings.length !== texts.length) return 'values: expected strings';
  const isUnary = operator === 'Exists' || operator === 'DoesNotExist';
  if (isUnary && strings.length > 0) return `${operator} takes no values`;
  if (!isUnary && strings.length === 0) return `${operator} needs values`;
  return { key, operator, values: strings };
}

function print({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(',')})`;
    case 'NotIn':
      return `${key} notin (${values.join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return operator satisfies never;
  }
}

function holds({ key, operator, values }: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return operator satisfies never;
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
