import { fail } from '../error.ts';
import { ZERO_TIME } from '../temporal.ts';
import { Double, Duration, isList, isMap, mapSize, Optional, Timestamp, Uint, type Value } from '../value.ts';
import { define, type Library, overload } from './declare.ts';

const passes = { passes: true, cost: () => 1, size: () => 0 };

/** Values that may be absent, and `omit()`. */
export const optionals: Library = {
  name: 'optionals',
  doc: 'Values that may be absent: `x.?field`, `list[?0]` and `map[?key]` return them; `[?x]` and `{?key: x}` accept them.',
  functions: [
    define('optional.of', {
      doc: 'An optional with this value.',
      examples: [['optional.of(1).value()', '1']],
      overloads: [overload('optional.of(V) -> optional_type(V)', (value: Value) => Optional.of(value), passes)],
    }),
    define('optional.none', {
      doc: 'An optional without a value.',
      examples: [['optional.none().hasValue()', 'false']],
      overloads: [overload('optional.none() -> optional_type(V)', () => Optional.NONE)],
    }),
    define('optional.ofNonZeroValue', {
      doc: 'An optional with this value; none if the value is empty, zero, false or null.',
      examples: [
        ["optional.ofNonZeroValue('').hasValue()", 'false'],
        ['optional.ofNonZeroValue(1).hasValue()', 'true'],
      ],
      overloads: [
        overload(
          'optional.ofNonZeroValue(V) -> optional_type(V)',
          (value: Value) => (isZero(value) ? Optional.NONE : Optional.of(value)),
          passes,
        ),
      ],
    }),
    define('hasValue', {
      doc: 'Whether the optional has a value.',
      examples: [["{'a': 1}.?a.hasValue()", 'true']],
      overloads: [overload('optional_type(V).hasValue() -> bool', (optional: Optional) => optional.value !== undefined, passes)],
    }),
    define('value', {
      doc: 'The value of the optional; an error if there is none.',
      examples: [['optional.none().value()', { error: 'optional' }]],
      overloads: [
        overload(
          'optional_type(V).value() -> V',
          (optional: Optional) => {
            if (optional.value === undefined) throw fail('optional', 'the optional has no value');
            return optional.value;
          },
          passes,
        ),
      ],
    }),
    define('or', {
      doc: 'This optional, or another if it has no value.',
      examples: [["{'a': 1}.?b.or({'a': 1}.?a).value()", '1']],
      overloads: [
        overload(
          'optional_type(V).or(optional_type(V)) -> optional_type(V)',
          (optional: Optional, other: Optional) => (optional.value === undefined ? other : optional),
          passes,
        ),
      ],
    }),
    define('orValue', {
      doc: 'The value of the optional, or another value if there is none.',
      examples: [["{'a': 1}.?b.orValue(2)", '2']],
      overloads: [
        overload(
          'optional_type(V).orValue(V) -> V',
          (optional: Optional, other: Value) => (optional.value === undefined ? other : optional.value),
          passes,
        ),
      ],
    }),
    define('_?._', {
      doc: 'An optional of a field of an object or an entry of a map; none if it is absent.',
      examples: [["{'a': 1}.?b", 'optional.none()']],
      overloads: [overload('_?._(dyn, string) -> optional_type(V)', () => Optional.NONE)],
    }),
    define('_[?_]', {
      doc: 'An optional of the element at an index or key; none if it is absent.',
      examples: [['[1][?5]', 'optional.none()']],
      overloads: [
        '_[?_](list(V), int) -> optional_type(V)',
        '_[?_](optional_type(list(V)), int) -> optional_type(V)',
        '_[?_](map(K, V), K) -> optional_type(V)',
        '_[?_](optional_type(map(K, V)), K) -> optional_type(V)',
      ].map((signature) => overload(signature, () => Optional.NONE)),
    }),
    define('first', {
      doc: 'An optional of the first element of a list; none if the list is empty.',
      examples: [['[1, 2].first().value()', '1']],
      overloads: [overload('list(V).first() -> optional_type(V)', (list: readonly Value[]) => elementOf(list, 0), passes)],
    }),
    define('last', {
      doc: 'An optional of the last element of a list; none if the list is empty.',
      examples: [['[1, 2].last().value()', '2']],
      overloads: [overload('list(V).last() -> optional_type(V)', (list: readonly Value[]) => elementOf(list, list.length - 1), passes)],
    }),
    define('optional.unwrap', {
      doc: 'The values of all optionals in a list that have one.',
      examples: [['optional.unwrap([optional.of(1), optional.none()])', '[1]']],
      overloads: [overload('optional.unwrap(list(optional_type(V))) -> list(V)', unwrap, { passes: true })],
    }),
    define('unwrapOpt', {
      doc: 'The values of all optionals in a list that have one.',
      examples: [['[optional.of(1), optional.none()].unwrapOpt()', '[1]']],
      overloads: [overload('list(optional_type(V)).unwrapOpt() -> list(V)', unwrap, { passes: true })],
    }),
  ],
};

function elementOf(list: readonly Value[], at: number): Optional {
  const element = list[at];
  return element === undefined ? Optional.NONE : Optional.of(element);
}

function unwrap(list: readonly Value[]): Value[] {
  return list.flatMap((item) => {
    if (!(item instanceof Optional)) throw fail('overload', 'the list holds a value that is no optional');
    return item.value === undefined ? [] : [item.value];
  });
}

/** Whether a value is the zero of its type. */
function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === '') return true;
  if (value instanceof Double || value instanceof Uint) return value.value === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.nanos === ZERO_TIME;
  if (isList(value) || value instanceof Uint8Array) return value.length === 0;
  return isMap(value) && mapSize(value) === 0;
}
