import type { JsonValue } from '../../src/api/object.ts';
import type { FieldPath } from '../../src/diagnostic/path.ts';
import { FieldPath as Path } from '../../src/diagnostic/path.ts';
import type { OpenApiSchema } from '../../src/schema/openapi.ts';

/** A valid object with one thing changed. */
export interface Mutation {
  readonly path: FieldPath;
  /** What was put there, for the test's title. */
  readonly what: string;
  readonly object: JsonValue;
}

const WRONG_TEXTS = [
  '',
  'b',
  'hihg',
  'yesterday',
  '2026-01-02T03:04:05',
  '2026-13-40',
  '***',
  'aGVsbG8',
  '1.2.3',
  '999.1.1.1',
  'x x',
  'much too long for any bound of this test',
];
const VALUES: readonly JsonValue[] = [
  7,
  -1,
  1.5,
  100,
  5_000_000_000,
  true,
  null,
  [],
  {},
  [null],
  [1],
  ['a', 'a'],
  { zzUnknown: 1 },
  ...WRONG_TEXTS,
];
const DEEPEST = 12;

/** Every value of the object replaced by each of many values, a field that no schema has in every object, and each declared field that is absent. */
export function mutations(object: JsonValue, schema: OpenApiSchema): Mutation[] {
  const found: Mutation[] = [];
  const add = (path: FieldPath, value: JsonValue): void => {
    found.push({ path, what: JSON.stringify(value), object: replaced(object, path.segments(), value) });
  };
  const walk = (value: JsonValue, fieldSchema: OpenApiSchema | undefined, path: FieldPath, depth: number): void => {
    const isRoot = path.parent === undefined;
    if (!isRoot && !isIdentity(path)) for (const other of VALUES) if (JSON.stringify(other) !== JSON.stringify(value)) add(path, other);
    if (depth === DEEPEST || typeof value !== 'object' || value === null) return;
    if (isList(value)) {
      const [first] = value;
      if (first !== undefined) add(path, [...value, first]);
      for (const [index, item] of value.entries()) walk(item, fieldSchema?.at(index), path.index(index), depth + 1);
      return;
    }
    add(path.field('zzUnknown'), 1);
    for (const name of fieldSchema?.propertyNames ?? []) {
      if (!(name in value)) for (const other of ['zz', 3, true, {}, []]) add(path.field(name), other);
    }
    for (const [name, member] of Object.entries(value)) walk(member, fieldSchema?.at(name), path.field(name), depth + 1);
  };
  walk(object, schema, Path.root, 0);
  return found;
}

/** Some of a list, the same for the same seed. */
export function sample<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  let state = seed;
  const keyed = items.map((item) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return { item, key: state };
  });
  keyed.sort((a, b) => a.key - b.key);
  return keyed.slice(0, count).map(({ item }) => item);
}

/** What makes the request itself another one. */
function isIdentity(path: FieldPath): boolean {
  return ['apiVersion', 'kind', 'metadata', 'metadata.name', 'metadata.namespace'].includes(path.toString());
}

function replaced(value: JsonValue, segments: readonly (string | number)[], by: JsonValue): JsonValue {
  const [first, ...rest] = segments;
  if (first === undefined) return by;
  if (isList(value)) return value.map((item, index) => (index === first ? replaced(item, rest, by) : item));
  const object = typeof value === 'object' && value !== null && !isList(value) ? value : {};
  return { ...object, [first]: replaced(object[first] ?? null, rest, by) };
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
