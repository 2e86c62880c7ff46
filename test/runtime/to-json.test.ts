import { test } from 'tap';
import { EvaluationError } from '../../src/cel/error.ts';
import { dynType } from '../../src/cel/type.ts';
import {
  Double,
  Duration,
  MapValue,
  noteSource,
  OMIT,
  Optional,
  type PlainMap,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../../src/cel/value.ts';
import { toJson } from '../../src/runtime/to-json.ts';

function map(...entries: readonly (readonly [Value, Value])[]): MapValue {
  const made = new MapValue();
  for (const [key, value] of entries) made.set(key, value);
  return made;
}

/** A struct that has become dyn: its fields are CEL values, but it keeps the object that it was read from. */
function erased(copy: PlainMap, source: PlainMap): PlainMap {
  noteSource(copy, source);
  return copy;
}

const rows: readonly (readonly [title: string, value: Value, json: unknown])[] = [
  ['scalars are themselves', [null, true, 'a', 1, 1.5], [null, true, 'a', 1, 1.5]],
  ['an int beyond 2^53 stays exact', 9223372036854775807n, 9223372036854775807n],
  ['a whole double is a number', new Double(2), 2],
  ['a uint is a number', new Uint(18446744073709551615n), 18446744073709551615n],
  ['bytes are base64', Uint8Array.from([104, 105, 255]), 'aGn/'],
  ['a timestamp is RFC 3339', new Timestamp(1_500_000_000n), '1970-01-01T00:00:01.5Z'],
  ['a duration is what Go prints', new Duration(5_400_000_000_000n), '1h30m0s'],
  ['an empty optional is null', Optional.NONE, null],
  ['an optional is its value', Optional.of('a'), 'a'],
  ['omit() as a whole is nothing', OMIT, undefined],
  ['omit() leaves out fields and elements', map(['a', OMIT], ['b', [1, OMIT, 2]]), { b: [1, 2] }],
  ['omit() is left out of plain objects, too', { a: OMIT, b: 1 }, { b: 1 }],
  ['an object is as it was read', [erased({ day: new Timestamp(0n) }, { day: '1970-01-01', x: null })], [{ day: '1970-01-01', x: null }]],
  ['a map keeps its order', map(['z', 1], ['a', 2]), { z: 1, a: 2 }],
  ['NaN cannot be held', Number.NaN, 'argument'],
  ['infinity cannot be held', Number.POSITIVE_INFINITY, 'argument'],
  ['a key that is no string cannot be held', map([1, 'a']), 'argument'],
  ['a type cannot be held', new TypeValue('int'), 'argument'],
];

for (const [title, value, json] of rows) {
  test(title, async (t) => {
    let found: unknown;
    try {
      found = toJson(value, dynType);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      found = error.code;
    }
    t.same(found, json);
  });
}

test('an object that needs no change is not copied', async (t) => {
  const object = { metadata: { name: 'a', labels: { app: 'web' } }, list: [1, 2, { a: null }] };
  t.equal(toJson(object, dynType), object);
});

test('a field named __proto__ is a field', async (t) => {
  const json = toJson(map(['__proto__', { polluted: true }]), dynType) as object;
  t.strictSame(Object.keys(json), ['__proto__']);
  t.equal(Object.getPrototypeOf(json), Object.prototype);
});

test('a value that nests too deep is an error, not a crash', async (t) => {
  let deep: Value = [];
  for (let at = 0; at < 100_000; at++) deep = [deep];
  t.throws(() => toJson(deep, dynType), { code: 'limit' });
});
