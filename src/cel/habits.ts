import type { Span } from './error.ts';

/** A habit of other languages: what stands up to the mistake, what stands there, and how CEL writes it. */
type Habit = readonly [before: RegExp, at: RegExp, advice: string];

const ANY = /$/;

const SYNTAX: readonly Habit[] = [
  [ANY, /^=>/, 'a macro takes a name and an expression: x.map(item, item + 1)'],
  [ANY, /^=/, 'write "==" to compare, and ":" after the key of a map'],
  [ANY, /^(?:and\b|&)/, 'write "&&"'],
  [ANY, /^(?:or\b|\|)/, 'write "||"'],
  [ANY, /^is\b/, 'write "=="'],
  [/\bnot\s+$/, ANY, 'write "!"'],
  [/<$/, /^>/, 'write "!="'],
  [/\?$/, /^\?/, 'a default is x.?field.orValue(value)'],
  [/\?\.[A-Za-z_]/, /^$/, 'a field that may be absent is x.?field'],
  [ANY, /^;/, 'an expression is one value, without ";"'],
  [ANY, /^[“”„‘’‚]/u, 'a string stands in \' or "'],
  [/\d$/, /^[A-Za-z]/, 'a number with a unit is text: duration("5m"), quantity("1Gi")'],
  [/\[[^[\]]*$/, /^:/, 'a part is x.slice(from, to) of a list, x.substring(from, to) of a string'],
];

/** What to write instead of what other languages write where an expression does not parse; undefined if it is no habit that is known. */
export function syntaxHabit(text: string, { start }: Span): string | undefined {
  const [before, at] = [text.slice(0, start), text.slice(start)];
  return SYNTAX.find(([wantedBefore, wantedAt]) => wantedBefore.test(before) && wantedAt.test(at))?.[2];
}

/** Reserved words by which other languages do what CEL does otherwise. */
export const reservedHabits: ReadonlyMap<string, string> = new Map([
  ['if', 'a choice is condition ? value : other'],
  ['else', 'a choice is condition ? value : other'],
  ...['let', 'var', 'const'].map((word) => [word, 'a name for a value is cel.bind(name, value, expression)'] as const),
  ...['for', 'while', 'loop'].map(
    (word) => [word, 'each item of a list is x.map(item, expression), some are x.filter(item, condition)'] as const,
  ),
]);

/** What other languages call macros, and how they are written. */
export const macroHabits: ReadonlyMap<string, string> = new Map([
  ...['any', 'some'].map((name) => [name, 'it is x.exists(item, condition)'] as const),
  ...['every', 'forAll'].map((name) => [name, 'it is x.all(item, condition)'] as const),
  ...['where', 'select', 'find'].map((name) => [name, 'it is x.filter(item, condition)'] as const),
  ['forEach', 'it is x.map(item, expression)'],
]);

/** Functions of other languages, and fields, and how CEL does what they do. */
export const functionHabits: ReadonlyMap<string, string> = new Map([
  ...macroHabits,
  ...['length', 'len', 'count', 'strlen'].map((name) => [name, 'how many there are is size(x)'] as const),
  ...['includes', 'has', 'containsKey', 'hasKey'].map(
    (name) => [name, 'an element of a list, or a key of a map, is found by: value in x'] as const,
  ),
  ...['toUpperCase', 'toUpper', 'upper', 'uppercase'].map((name) => [name, 'it is x.upperAscii()'] as const),
  ...['toLowerCase', 'toLower', 'lower', 'lowercase'].map((name) => [name, 'it is x.lowerAscii()'] as const),
  ...['toString', 'str', 'String'].map((name) => [name, 'it is string(x)'] as const),
  ...['parseInt', 'toInt', 'atoi'].map((name) => [name, 'it is int(x)'] as const),
  ...['concat', 'append', 'push'].map((name) => [name, 'strings and lists are put together with "+"'] as const),
  ...['default', 'coalesce', 'getOrDefault'].map((name) => [name, 'a default is x.?field.orValue(value)'] as const),
  ['keys', 'the keys of a map are x.map(key, key)'],
  ['values', 'the values of a map are x.transformList(key, value, value)'],
  ['unique', 'it is x.distinct()'],
  ...['toJson', 'toJSON', 'JSON.stringify', 'json.encode'].map((name) => [name, 'it is json.marshal(x)'] as const),
  ...['fromJson', 'JSON.parse', 'json.decode'].map((name) => [name, 'it is json.unmarshal(x)'] as const),
  ...['b64enc', 'base64encode'].map((name) => [name, 'it is base64.encode(bytes(x))'] as const),
  ...['b64dec', 'base64decode'].map((name) => [name, 'it is string(base64.decode(x))'] as const),
  ...['now', 'timestamp.now', 'today'].map((name) => [name, 'an expression has no clock: read a time from an object'] as const),
  ...['uuid', 'random', 'rand'].map(
    (name) => [name, 'an expression has no chance: random.seededString(length, seed) stays the same'] as const,
  ),
]);
