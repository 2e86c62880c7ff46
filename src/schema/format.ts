import { readAmount } from '../cel/library/resource-amount.ts';
import { isCreditCard, isIsbn10, isIsbn13 } from './check-digits.ts';

/** Whether a string is of a format, as the API server reads it; formats that it does not check are absent (graph.md 6.3). */
type FormatTest = (text: string) => boolean;

const WHITE_SPACE_AROUND = /^[\s\u0085]+|[\s\u0085]+$/g;
const COLOUR = '(?:[0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])';
const NAME = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const UNIT = /(\d+)\s*([A-Za-zµ]+)/g;
const LONG_UNITS = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];
const SHORT_UNITS = new Set(['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk']);

/** What the schema of a custom kind is checked for. */
const CUSTOM: ReadonlyMap<string, FormatTest> = new Map([
  ['byte', matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['date', isDate],
  ['datetime', isDateTime],
  ['duration', isDuration],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['hexcolor', matches(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['rgbcolor', matches(new RegExp(`^rgb\\(\\s*${COLOUR}\\s*,\\s*${COLOUR}\\s*,\\s*${COLOUR}\\s*\\)$`))],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['bsonobjectid', matches(/^[0-9a-f]{24}$/i)],
  ['email', isEmail],
  ['hostname', isHostname],
  ['uri', isRequestUri],
  ['k8sshortname', (text) => text.length <= 63 && new RegExp(`^${NAME}$`).test(text)],
  ['k8slongname', (text) => text.length <= 253 && new RegExp(`^${NAME}(\\.${NAME})*$`).test(text)],
]);

/** What Go's decoding of a standard kind takes. */
const STANDARD: ReadonlyMap<string, FormatTest> = new Map([
  ['byte', (text) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text.replace(/[\r\n]/g, ''))],
  ['datetime', isRfc3339],
  // Go reads as many digits as its layout has.
  ['microtime', (text) => isRfc3339(text) && /[.,]\d{6}(?!\d)/.test(text)],
  ['quantity', (text) => readAmount(text.replace(WHITE_SPACE_AROUND, '')) !== undefined],
]);

/** Longer texts are left to the API server, so that no test takes long. */
const LONGEST_TEXT = 4096;

/** Whether a string may stand in a field of this format; a format that is not checked takes every string. */
export function isOfFormat(text: string, format: string, standard: 'standard' | 'custom'): boolean {
  const test = (standard === 'standard' ? STANDARD : CUSTOM).get(format.replaceAll('-', ''));
  return test === undefined || text.length > LONGEST_TEXT || test(text);
}

function matches(pattern: RegExp): FormatTest {
  return (text) => pattern.test(text);
}

function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

/** Lenient in the fraction's first character and the zone's digits, as the API server is. */
function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split('t');
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const parts = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time);
  return parts !== null && Number(parts[1]) <= 23 && Number(parts[2]) <= 59 && Number(parts[3]) <= 59;
}

function isRfc3339(text: string): boolean {
  const parts = /^(\d{4}-\d{2}-\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,]\d+)?(?:Z|[+-](\d{2}):(\d{2}))$/.exec(text);
  if (parts === null || !isDate(parts[1] ?? '')) return false;
  const atMost = (index: number, most: number): boolean => Number(parts[index] ?? 0) <= most;
  return atMost(2, 23) && atMost(3, 59) && atMost(4, 59) && atMost(5, 24) && atMost(6, 60);
}

/** A Go duration, or numbers with units in words: one that is known is enough. */
function isDuration(text: string): boolean {
  if (/^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  return [...text.matchAll(UNIT)].some(([, , word = '']) => {
    const unit = word.toLowerCase();
    return SHORT_UNITS.has(unit) || LONG_UNITS.some((long) => unit.startsWith(long));
  });
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  if (text.includes(':')) return text.includes('.') && isIpv6(text);
  return parts.length === 4 && parts.every((part) => /^\d+$/.test(part) && Number(part) <= 255);
}

function isIpv6(text: string): boolean {
  if (!text.includes(':')) return false;
  const lastColon = text.lastIndexOf(':');
  const tail = text.slice(lastColon + 1);
  const hasIpv4 = tail.includes('.');
  if (hasIpv4 && !isIpv4(tail)) return false;
  const halves = (hasIpv4 ? `${text.slice(0, lastColon + 1)}0:0` : text).split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}

function isCidr(text: string): boolean {
  const [address, bits, ...rest] = text.split('/');
  if (address === undefined || bits === undefined || rest.length > 0 || !/^\d+$/.test(bits)) return false;
  return address.includes(':') ? isIpv6(address) && Number(bits) <= 128 : isIpv4(address) && Number(bits) <= 32;
}

/** Pairs of digits with one separator or none, or groups of four with dots. */
function isMac(text: string): boolean {
  if (/^(?:[0-9a-f]{2}){6,}$/i.test(text)) return true;
  return /^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}(?:(?:[0-9a-f]{2}\1){2}|(?:[0-9a-f]{2}\1){14})?[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}(?:[0-9a-f]{4}\.|(?:[0-9a-f]{4}\.){7})?[0-9a-f]{4})$/i.test(
    text,
  );
}

/** A plain address; of one with a name, quotes or comments only that it has an at sign. */
function isEmail(text: string): boolean {
  if (/[^\w.@!#$%&'*+/=?^`{|}~-]/.test(text)) return text.includes('@');
  return /^[^.@]+(?:\.[^.@]+)*@[^.@]+(?:\.[^.@]+)*$/.test(text);
}

/** An absolute path, or anything behind a scheme, where nothing stands in a host or a path that may not; the rest is left to the API server. */
function isRequestUri(text: string): boolean {
  if ([...text].some((character) => character < ' ' || character === '\u007f')) return false;
  if (text === '*') return true;
  const [, scheme, rest = ''] = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?([^?]*)/s.exec(text) ?? [];
  if (!rest.startsWith('/')) return scheme !== undefined;
  const [, host = '', path = ''] = (scheme === undefined ? null : /^\/\/([^/]*)(.*)$/s.exec(rest)) ?? ['', '', rest];
  const isHost = !/[ #|^\\{}`]/.test(host) && (!/^(?:[^@]*@)?\[/.test(host) || host.includes(']'));
  return isHost && !/%(?![0-9a-fA-F]{2})/.test(path);
}

function isHostname(text: string): boolean {
  const name =
    /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\p{S}\p{L}-]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;
  return text.length <= 255 && name.test(text) && text.split('.').every((label) => label.length <= 63);
}
