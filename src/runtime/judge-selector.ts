import type { JsonObject, JsonValue } from '../api/object.ts';

const FIELDS: ReadonlySet<string> = new Set(['matchLabels', 'matchExpressions']);
const NEEDS_VALUES: ReadonlyMap<JsonValue, boolean> = new Map([
  ['In', true],
  ['NotIn', true],
  ['Exists', false],
  ['DoesNotExist', false],
]);

/**
 * What is wrong with a rendered label selector; undefined if nothing is. One that is null or absent is an error: it never means all objects,
 * which only an empty object does (graph.md 9). The text quotes no value.
 */
export function faultOfSelector(selector: JsonValue | undefined): string | undefined {
  if (selector === undefined || selector === null) return 'the selector gives nothing; {} selects all';
  if (!isObject(selector)) return 'the selector does not give an object';
  if (Object.keys(selector).some((field) => !FIELDS.has(field))) return 'the selector has a field beside matchLabels and matchExpressions';
  return faultOfLabels(selector['matchLabels']) ?? faultOfRequirements(selector['matchExpressions']);
}

function faultOfLabels(labels: JsonValue | undefined): string | undefined {
  if (labels === undefined) return undefined;
  if (!isObject(labels)) return 'matchLabels does not give an object';
  return Object.values(labels).every((value) => typeof value === 'string') ? undefined : 'a value of matchLabels does not give a text';
}

function faultOfRequirements(requirements: JsonValue | undefined): string | undefined {
  if (requirements === undefined) return undefined;
  if (!isList(requirements)) return 'matchExpressions does not give a list';
  for (const requirement of requirements) {
    const fault = faultOfRequirement(requirement);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfRequirement(requirement: JsonValue): string | undefined {
  if (!isObject(requirement) || typeof requirement['key'] !== 'string') return 'an entry of matchExpressions has no key';
  const needs = NEEDS_VALUES.get(requirement['operator'] ?? null);
  if (needs === undefined) return 'an operator of matchExpressions is none of In, NotIn, Exists, DoesNotExist';
  const values = requirement['values'] ?? [];
  if (!isList(values) || !values.every((value) => typeof value === 'string'))
    return 'values of matchExpressions does not give a list of texts';
  return needs === values.length > 0 ? undefined : 'In and NotIn need values, Exists and DoesNotExist take none';
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
