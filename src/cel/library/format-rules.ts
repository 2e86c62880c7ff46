import { wrongWithUrl } from './url-parts.ts';

/** What is wrong with a text, in the words of Kubernetes; nothing if it is right. */
export type FormatRule = (text: string) => readonly string[];

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const DNS_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const LABEL_WORDS =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const SUBDOMAIN_WORDS =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const DNS_1035_WORDS =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const NAME_WORDS = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const VALUE_WORDS = `a valid label must be an empty string or consist of ${NAME_WORDS.slice('must consist of '.length)}`;

/** Kubernetes' named formats. */
export const formatRules: ReadonlyMap<string, FormatRule> = new Map([
  ['dns1123Label', isLabel],
  ['dns1123Subdomain', isSubdomain],
  ['dns1035Label', isDns1035Label],
  ['qualifiedName', isQualifiedName],
  ['dns1123LabelPrefix', (text) => isLabel(withoutDash(text))],
  ['dns1123SubdomainPrefix', (text) => isSubdomain(withoutDash(text))],
  ['dns1035LabelPrefix', (text) => isDns1035Label(withoutDash(text))],
  ['labelValue', isLabelValue],
  ['uri', isUri],
  ['uuid', test('does not match the UUID format', (text) => /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text))],
  ['byte', test('invalid base64', (text) => text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text))],
  ['date', test('invalid date', isDate)],
  ['datetime', test('invalid datetime', isDatetime)],
]);

function isLabel(text: string): readonly string[] {
  const long = tooLong(text, 63);
  if (matches(text, LABEL)) return long;
  return [...long, matches(text, SUBDOMAIN) ? 'must not contain dots' : mismatch(LABEL_WORDS, LABEL, ['my-name', '123-abc'])];
}

function isSubdomain(text: string): readonly string[] {
  return [...tooLong(text, 253), ...missesSubdomain(text)];
}

function missesSubdomain(text: string): readonly string[] {
  return misses(text, SUBDOMAIN, SUBDOMAIN_WORDS, ['example.com']);
}

function isDns1035Label(text: string): readonly string[] {
  return [...tooLong(text, 63), ...misses(text, DNS_1035, DNS_1035_WORDS, ['my-name', 'abc-123'])];
}

function isLabelValue(text: string): readonly string[] {
  return [...tooLong(text, 63, 'bytes'), ...misses(text, `(${NAME})?`, VALUE_WORDS, ['MyValue', 'my_value', '12345'])];
}

const NAME_EXAMPLES = ['MyName', 'my.name', '123-abc'];

/** A label's key: a name, perhaps after a subdomain and a slash. */
function isQualifiedName(text: string): readonly string[] {
  const parts = text.split('/', 3);
  const name = parts.at(-1) ?? '';
  if (parts.length > 2) {
    const words = mismatch(`a valid label key ${NAME_WORDS}`, NAME, NAME_EXAMPLES);
    return [`${words} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const [prefix = ''] = parts;
  const wrongPrefix =
    parts.length === 1 ? [] : [...required(prefix), ...tooLong(prefix, 253, 'bytes'), ...(prefix === '' ? [] : missesSubdomain(prefix))];
  const wrongName = [...required(name), ...tooLong(name, 63, 'bytes'), ...misses(name, NAME, NAME_WORDS, NAME_EXAMPLES)];
  return [...wrongPrefix.map((words) => `prefix part ${words}`), ...wrongName.map((words) => `name part ${words}`)];
}

function isUri(text: string): readonly string[] {
  const wrong = wrongWithUrl(text);
  return wrong === undefined ? [] : [wrong];
}

/** A name to which more will be added may end in a dash. Kubernetes takes off one more byte: what is left of a longer character stays wrong. */
function withoutDash(text: string): string {
  if (text.length < 2 || !text.endsWith('-')) return text;
  const isWhole = text.charCodeAt(text.length - 2) < 0x80;
  return `${text.slice(0, -2)}${isWhole ? '' : '\ufffd'}a`;
}

function required(text: string): readonly string[] {
  return text === '' ? ['must be non-empty'] : [];
}

function tooLong(text: string, most: number, unit: 'bytes' | 'characters' = 'characters'): readonly string[] {
  return Buffer.byteLength(text, 'utf8') > most ? [`must be no more than ${most} ${unit}`] : [];
}

function misses(text: string, pattern: string, words: string, examples: readonly string[]): readonly string[] {
  return matches(text, pattern) ? [] : [mismatch(words, pattern, examples)];
}

function matches(text: string, pattern: string): boolean {
  return new RegExp(`^${pattern}$`).test(text);
}

function mismatch(words: string, pattern: string, examples: readonly string[]): string {
  return `${words} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`;
}

function test(words: string, holds: (text: string) => boolean): FormatRule {
  return (text) => (holds(text) ? [] : [words]);
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [, year, month, day] = match.map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day);
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
}

/** As OpenAPI's datetime in Kubernetes, which is laxer than RFC 3339. */
function isDatetime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t', 2);
  const match = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/u.exec(time ?? '');
  if (match === null || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] = match;
  return hour <= '23' && minute <= '59' && second <= '59';
}
