import type { Span } from './error.ts';

/** A habit of other languages: what stands up to the mistake, what stands there, and how CEL writes it. */
type Habit = readonly [before: RegExp, at: RegExp, advice: string];

const ANY = /$/;
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs;
const LAMBDA = 'a macro takes a name and an expression: x.map(item, item + 1)';
const BINDING = 'a name for a value is cel.bind(name, value, expression)';
const PATTERN = 'it is x.matches(pattern)';
const CLOCK = 'an expression has no clock: read a time from an object';
const MEMBER = 'an element of a list or a key of a map is found by: value in x; a part of a string by x.contains(part)';
const NOTHING = 'where there is no value stands null';

const SYNTAX: readonly Habit[] = [
  [ANY, /^=>/, LAMBDA],
  [ANY, /^=~/, 'it is x.matches(pattern)'],
  [ANY, /^=</, 'write "<="'],
  [/!=$/, /^=/, 'write "!="'],
  [ANY, /^=/, 'write "==" to compare, and ":" after the key of a map'],
  [ANY, /^:=/, BINDING],
  [ANY, /^(?:and\b|&)/, 'write "&&"'],
  [ANY, /^\|\s*[A-Za-z]/, 'write "||" between conditions; a function is called, not piped into: f(x) or x.f()'],
  [ANY, /^(?:or\b|\|)/, 'write "||"'],
  [ANY, /^is\s+not\b/, 'write "!="'],
  [ANY, /^is\b/, 'write "=="'],
  [ANY, /^not\s+in\b/, 'write !(value in x)'],
  [ANY, /^(?:contains|matches|startsWith|endsWith)\b/, 'a function stands behind a dot: x.contains(y)'],
  [/\bnot\s+$/, ANY, 'write "!"'],
  [/\btypeof\s+$/, ANY, 'it is type(x)'],
  [/\blambda\s+$/, ANY, LAMBDA],
  [/<$/, /^>/, 'write "!="'],
  [/\?$/, /^\?/, 'a default is x.?field.orValue(value)'],
  [/\?\.[A-Za-z_]/, /^$/, 'a field that may be absent is x.?field'],
  [ANY, /^;/, 'an expression is one value, without ";"'],
  [ANY, /^[“”„‘’‚]/u, 'a string stands in \' or "'],
  [/\d$/, /^(?:[munµ]?s|[mhdk]|[KMGTPE]i?)(?:\b|\d)/u, 'a number with a unit is text: duration("5m"), quantity("1Gi")'],
  [/[\w)\]}"']\s*\[[^[\]]*$/, /^:/, 'a part is x.slice(from, to) of a list, x.substring(from, to) of a string'],
  [/[A-Za-z_)\]]\.$/, /^\d/, 'an element of a list is x[0]'],
  [/^\s*\{\s*\{/, /^\}/, 'no braces stand around the expression but those of ${...}'],
  [ANY, /^\$[A-Za-z_.]/, 'a node is read by its id alone, without "$"'],
  [/(?:["']|\bf)\s*$/, /^["']/, 'strings are put together with "+"; between the elements of a list stands ","'],
];

/** What to write instead of what other languages write where an expression does not parse; undefined if it is no habit that is known. */
export function syntaxHabit(text: string, { start }: Span): string | undefined {
  // What stands in strings is no syntax.
  const [before, at] = [text.slice(0, start).replace(STRING, '""'), text.slice(start)];
  return SYNTAX.find(([wantedBefore, wantedAt]) => wantedBefore.test(before) && wantedAt.test(at))?.[2];
}

/** Instead of the three dots that other languages write before what is to be put into a list or a map. */
export const spreadHabit = 'lists are put together with "+", maps with x.merge(y)';

/** Instead of `x !in list`. */
export const notInHabit = 'write !(value in x)';

/** Reserved words by which other languages do what CEL does otherwise. */
export const reservedHabits: ReadonlyMap<string, string> = new Map([
  ['if', 'a choice is condition ? value : other'],
  ['else', 'a choice is condition ? value : other'],
  ...['let', 'var', 'const'].map((word) => [word, BINDING] as const),
  ...['for', 'while', 'loop'].map(
    (word) => [word, 'each item of a list is x.map(item, expression), some are x.filter(item, condition)'] as const,
  ),
  ['function', LAMBDA],
]);

/** What other languages call macros, and how they are written. */
export const macroHabits: ReadonlyMap<string, string> = new Map([
  ...['any', 'some'].map((name) => [name, 'it is x.exists(item, condition)'] as const),
  ...['every', 'forAll'].map((name) => [name, 'it is x.all(item, condition)'] as const),
  ...['where', 'select', 'find'].map((name) => [name, 'it is x.filter(item, condition)'] as const),
  ...['forEach', 'each', 'collect'].map((name) => [name, 'it is x.map(item, expression)'] as const),
  ...['flatMap', 'concatMap'].map((name) => [name, 'it is x.map(item, list).flatten()'] as const),
  ...['count', 'countBy'].map((name) => [name, 'it is x.filter(item, condition).size()'] as const),
  ...['sort', 'sorted', 'orderBy'].map((name) => [name, 'it is x.sortBy(item, key)'] as const),
  ...['reduce', 'fold', 'foldl', 'inject'].map(
    (name) => [name, 'no loop carries a value along; lists have sum(), min(), max() and join(separator)'] as const,
  ),
]);

/** Functions of other languages, and fields, and how CEL does what they do. */
export const functionHabits: ReadonlyMap<string, string> = new Map([
  ...macroHabits,
  ...['length', 'len', 'count', 'strlen'].map((name) => [name, 'how many there are is size(x)'] as const),
  ...['includes', 'has', 'containsKey', 'hasKey'].map((name) => [name, MEMBER] as const),
  ...['strip', 'trimSpace'].map((name) => [name, 'it is x.trim()'] as const),
  ['substr', 'it is x.substring(from, to)'],
  ...['test', 'match', 'search', 'regexMatch'].map((name) => [name, PATTERN] as const),
  ...['printf', 'sprintf'].map((name) => [name, 'it is "%s".format([x])'] as const),
  ['get', 'it is x[key], with a default x[?key].orValue(value)'],
  ...['items', 'entries'].map((name) => [name, 'it is x.transformList(key, value, expression)'] as const),
  ...['dict', 'object'].map((name) => [name, 'a map is written {"key": value}'] as const),
  ...['list', 'array'].map((name) => [name, 'a list is written [x, y]'] as const),
  ['ternary', 'a choice is condition ? value : other'],
  ['not', 'write "!"'],
  ['and', 'write "&&"'],
  ['eq', 'write "=="'],
  ['ne', 'write "!="'],
  ...['math.max', 'math.min'].map((name) => [name, 'they are math.greatest(x, y) and math.least(x, y)'] as const),
  ['lookup', 'an object is read by a ref node'],
  ...['toUpperCase', 'toUpper', 'upper', 'uppercase'].map((name) => [name, 'it is x.upperAscii()'] as const),
  ...['toLowerCase', 'toLower', 'lower', 'lowercase'].map((name) => [name, 'it is x.lowerAscii()'] as const),
  ...['toString', 'str', 'String'].map((name) => [name, 'it is string(x)'] as const),
  ...['parseInt', 'toInt', 'atoi'].map((name) => [name, 'it is int(x)'] as const),
  ...['concat', 'append', 'push'].map((name) => [name, 'strings and lists are put together with "+"'] as const),
  ...['default', 'coalesce', 'getOrDefault'].map((name) => [name, 'a default is x.?field.orValue(value)'] as const),
  ['keys', 'the keys of a map are x.map(key, key)'],
  ['values', 'the values of a map are x.transformList(key, value, value)'],
  ...['unique', 'uniq'].map((name) => [name, 'it is x.distinct()'] as const),
  ...['toJson', 'toJSON', 'JSON.stringify', 'json.encode'].map((name) => [name, 'it is json.marshal(x)'] as const),
  ...['fromJson', 'JSON.parse', 'json.decode'].map((name) => [name, 'it is json.unmarshal(x)'] as const),
  ...['b64enc', 'base64encode'].map((name) => [name, 'it is base64.encode(bytes(x))'] as const),
  ...['b64dec', 'base64decode'].map((name) => [name, 'it is string(base64.decode(x))'] as const),
  ...['now', 'timestamp.now', 'today'].map((name) => [name, CLOCK] as const),
  ...['uuid', 'uuidv4', 'random', 'rand', 'randAlphaNum', 'randAlpha', 'randNumeric'].map(
    (name) => [name, 'an expression has no chance: random.seededString(length, seed) stays the same'] as const,
  ),
]);

/** Methods that there are, of values that have none of the name, by the kind of the value. */
export const receiverHabits: ReadonlyMap<string, string> = new Map([
  ...['list', 'map', 'struct'].map(
    (kind) => [`${kind}.contains`, 'an element of a list or a key of a map is found by: value in x'] as const,
  ),
  ['string.slice', 'a part of a string is x.substring(from, to)'],
  ...['first', 'last'].map((name) => [`string.${name}`, 'a character of a string is x.charAt(position)'] as const),
]);

/** Names that are there of themselves in other languages and tools, where nothing bears a name like them. */
export const nameHabits: ReadonlyMap<string, string> = new Map([
  ...['Values', 'Release', 'Chart'].map((name) => [name, 'values are given in a def node, and read by its id'] as const),
  ...['None', 'nil', 'undefined', 'Null', 'NULL'].map((name) => [name, NOTHING] as const),
  ...['True', 'TRUE', 'False', 'FALSE'].map((name) => [name, `it is ${name.toLowerCase()}, in lower case`] as const),
  ['JSON', 'it is json.marshal(x), and json.unmarshal(text)'],
  ['Object', 'the keys of a map are x.map(key, key)'],
  ['Math', 'the functions of numbers begin with "math.": math.greatest(x, y)'],
  ['Date', CLOCK],
  ['timestamp', CLOCK],
]);
