import { fromBytes, toBytes } from './bytes.ts';
import { goQuote } from './go-quote.ts';
import { parseAddress, WrongAddress } from './ip-address.ts';

/**
 * The parts of a URL as Go's net/url tells them apart. Texts hold one character for each byte of UTF-8, so that percent signs can be
 * resolved to any bytes.
 */
export interface UrlParts {
  readonly scheme: string;
  /** What follows the scheme where no slash does: `mailto:a@b`. */
  readonly opaque: string;
  readonly user: UserInfo | undefined;
  /** The host and its port. */
  readonly host: string;
  /** Whether the URL has a scheme and no authority at all: `file:/a`. */
  readonly omitsHost: boolean;
  readonly path: Encoded;
  readonly query: string;
  /** Whether there is a question mark, be it that nothing follows. */
  readonly hasQuery: boolean;
  readonly fragment: Encoded;
}

interface UserInfo {
  readonly name: string;
  readonly password: string | undefined;
}

/** A part without its percent signs, and as it was written. */
interface Encoded {
  readonly plain: string;
  readonly written: string;
}

/** What stays as it is in each part. */
const SAFE = {
  path: safeBytes('$&+,/:;=@'),
  host: safeBytes('!"$&\'()*+,:;<=>[]'),
  user: safeBytes('$&+,;='),
  fragment: safeBytes('!$&()*+,/:;=?@'),
} as const;

function safeBytes(punctuation: string): ReadonlySet<string> {
  return new Set(`ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~${punctuation}`);
}

type Part = keyof typeof SAFE;

/** What is wrong with a URL, in Go's words. */
class WrongUrl extends Error {
  override readonly name = 'WrongUrl';
}

/** Why a text is no URL that a request could name (absolute, or a path from the root), in Go's words; undefined if it is one. */
export function wrongWithUrl(text: string): string | undefined {
  const url = readRequestUrl(text);
  return url instanceof WrongUrl ? `parse ${goQuote(toBytes(text))}: ${url.message}` : undefined;
}

/** Whether a text is a URL that a request could name: absolute, or a path from the root. */
export function isRequestUrl(text: string): boolean {
  return !(readRequestUrl(text) instanceof WrongUrl);
}

/** The parts of a URL that a request could name, with its fragment; undefined if the text is none. */
export function readUrl(text: string): UrlParts | undefined {
  if (!isRequestUrl(text)) return undefined;
  const [url = '', ...fragment] = toBytes(text).split('#');
  const parts = attempt(() => readParts(url, fragment.join('#'), false));
  return parts instanceof WrongUrl ? undefined : parts;
}

function readRequestUrl(text: string): UrlParts | WrongUrl {
  return attempt(() => readParts(toBytes(text), '', true));
}

function attempt<T>(read: () => T): T | WrongUrl {
  try {
    return read();
  } catch (error) {
    if (error instanceof WrongUrl) return error;
    throw error;
  }
}

/** Throws WrongUrl; of several mistakes it names the one that Go does. */
function readParts(text: string, fragmentText: string, isRequest: boolean): UrlParts {
  if (hasControls(text)) throw new WrongUrl('net/url: invalid control character in URL');
  if (isRequest && text === '') throw new WrongUrl('empty url');
  const { scheme, rest, ...common } = readScheme(text);
  const none = { ...common, scheme, opaque: '', user: undefined, host: '', omitsHost: false };
  if (text === '*') return { ...none, path: { plain: '*', written: '*' }, fragment: decoded(fragmentText) };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...none, opaque: rest, path: { plain: '', written: '' }, fragment: decoded(fragmentText) };
    if (isRequest) throw new WrongUrl('invalid URI for request');
    if (rest.split('/', 1)[0]?.includes(':')) throw new WrongUrl('first path segment in URL cannot contain colon');
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || (!isRequest && !rest.startsWith('///')));
  const pathStart = hasAuthority ? endOf(rest.indexOf('/', 2), rest) : 0;
  const authority = hasAuthority ? readAuthority(rest.slice(2, pathStart), scheme) : undefined;
  const omitsHost = !hasAuthority && scheme !== '' && rest.startsWith('/');
  return { ...none, omitsHost, ...authority, path: decoded(rest.slice(pathStart)), fragment: decoded(fragmentText) };
}

function readScheme(text: string): Pick<UrlParts, 'scheme' | 'query' | 'hasQuery'> & { readonly rest: string } {
  if (text.startsWith(':')) throw new WrongUrl('missing protocol scheme');
  const written = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/.exec(text)?.[0];
  const afterScheme = written === undefined ? text : text.slice(written.length + 1);
  const mark = afterScheme.indexOf('?');
  const hasQuery = mark >= 0;
  return {
    scheme: written?.toLowerCase() ?? '',
    query: hasQuery ? afterScheme.slice(mark + 1) : '',
    hasQuery,
    rest: hasQuery ? afterScheme.slice(0, mark) : afterScheme,
  };
}

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}

function endOf(found: number, text: string): number {
  return found < 0 ? text.length : found;
}

function decoded(written: string): Encoded {
  return { plain: unescapeAny(written), written };
}

function readAuthority(text: string, scheme: string): Pick<UrlParts, 'user' | 'host'> {
  const at = text.lastIndexOf('@');
  const host = readHost(text.slice(at + 1), scheme);
  if (at < 0) return { user: undefined, host };
  const info = text.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(info)) throw new WrongUrl('net/url: invalid userinfo');
  const colon = info.indexOf(':');
  if (colon < 0) return { user: { name: unescapeAny(info), password: undefined }, host };
  return { user: { name: unescapeAny(info.slice(0, colon)), password: unescapeAny(info.slice(colon + 1)) }, host };
}

function readHost(text: string, scheme: string): string {
  const bracket = text.lastIndexOf('[');
  if (bracket > 0) throw new WrongUrl('invalid IP-literal');
  if (bracket === 0) return readLiteralHost(text);
  // Hosts with several colons are an old habit of databases, not of the web.
  const isWeb = scheme === 'http' || scheme === 'https';
  const colon = isWeb ? text.indexOf(':') : text.lastIndexOf(':');
  if (colon >= 0) checkPort(text.slice(colon));
  return unescapeHost(text, isHostByte);
}

/** `[::1]:80`, with a zone as `[fe80::1%25eth0]`. */
function readLiteralHost(text: string): string {
  const close = text.lastIndexOf(']');
  if (close < 0) throw new WrongUrl("missing ']' in host");
  const port = text.slice(close + 1);
  checkPort(port);
  const inner = text.slice(1, close);
  const percent = endOf(inner.indexOf('%25'), inner);
  const host = unescapeHost(inner.slice(0, percent), isHostByte) + unescapeHost(inner.slice(percent), isZoneByte);
  checkLiteral(host);
  return `[${host}]${port}`;
}

function checkLiteral(host: string): void {
  try {
    if (parseAddress(host).family === 6) return;
  } catch (error) {
    if (!(error instanceof WrongAddress)) throw error;
    const place = error.rest === '' ? '' : ` (at ${goQuote(error.rest)})`;
    throw new WrongUrl(`invalid host: ParseAddr(${goQuote(host)}): ${error.message}${place}`);
  }
  throw new WrongUrl('invalid IP-literal');
}

function checkPort(text: string): void {
  if (!isPort(text)) throw new WrongUrl(`invalid port ${goQuote(text)} after host`);
}

function isPort(text: string): boolean {
  return text === '' || /^:\d*$/.test(text);
}

/** A byte that a percent sign in a host may stand for: none of ASCII, but a percent sign itself. */
function isHostByte(byte: string): boolean {
  return byte >= '\x80' || byte === '%';
}

function isZoneByte(byte: string): boolean {
  return byte === '%' || byte === ' ' || !needsEscape(byte, 'host');
}

function unescapeHost(text: string, isAllowed: (byte: string) => boolean): string {
  return text.replace(/%[0-9A-Fa-f]{2}|./gs, (sequence, at: number) => {
    if (sequence.length === 1 && sequence !== '%') {
      if (sequence < '\x80' && needsEscape(sequence, 'host')) throw new WrongUrl(`invalid character ${goQuote(sequence)} in host name`);
      return sequence;
    }
    if (sequence === '%' || !isAllowed(byteOf(sequence))) throw wrongEscape(text, at);
    return byteOf(sequence);
  });
}

/** Percent signs may stand for every byte. */
function unescapeAny(text: string): string {
  return text.replace(/%(?:[0-9A-Fa-f]{2})?/g, (sequence, at: number) => {
    if (sequence === '%') throw wrongEscape(text, at);
    return byteOf(sequence);
  });
}

function wrongEscape(text: string, at: number): WrongUrl {
  return new WrongUrl(`invalid URL escape ${goQuote(text.slice(at, at + 3))}`);
}

function byteOf(sequence: string): string {
  return String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
}

function needsEscape(byte: string, part: Part): boolean {
  return !SAFE[part].has(byte);
}

function writeEscapes(text: string, part: Part): string {
  return Array.from(text, (byte) => (needsEscape(byte, part) ? hexOf(byte) : byte)).join('');
}

function hexOf(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** A part with percent signs: as it was written if that is right, else escaped anew. */
function printEncoded({ plain, written }: Encoded, part: 'path' | 'fragment'): string {
  const isValid = Array.from(written).every((byte) => !needsEscape(byte, part) || "!$&'()*+,;=:@[]%".includes(byte));
  return isValid ? written : writeEscapes(plain, part);
}

/** The path with percent signs. */
export function printPath(url: UrlParts): string {
  return url.path.plain === '*' ? '*' : printEncoded(url.path, 'path');
}

/** The whole URL. */
export function printUrl(url: UrlParts): string {
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`;
  const query = url.hasQuery ? `?${url.query}` : '';
  const fragment = url.fragment.plain === '' ? '' : `#${printEncoded(url.fragment, 'fragment')}`;
  return fromBytes(`${scheme}${url.opaque === '' ? printHierarchy(url, scheme) : url.opaque}${query}${fragment}`);
}

function printHierarchy(url: UrlParts, scheme: string): string {
  const path = printPath(url);
  const user = printUser(url.user);
  const named = url.host !== '' || url.user !== undefined;
  const authority = named || (scheme !== '' && !url.omitsHost && path !== '') ? `//${user}${writeEscapes(url.host, 'host')}` : '';
  const slash = path !== '' && !path.startsWith('/') && url.host !== '' ? '/' : '';
  return `${authority}${slash}${path}`;
}

function printUser(user: UserInfo | undefined): string {
  if (user === undefined) return '';
  const password = user.password === undefined ? '' : `:${writeEscapes(user.password, 'user')}`;
  return `${writeEscapes(user.name, 'user')}${password}@`;
}

/** The host without its port and brackets, and the port. */
export function splitHost(host: string): readonly [hostname: string, port: string] {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && isPort(host.slice(colon));
  const name = hasPort ? host.slice(0, colon) : host;
  return [/^\[.*\]$/s.test(name) ? name.slice(1, -1) : name, hasPort ? host.slice(colon + 1) : ''];
}

/** More parameters than Go reads. */
const MAX_PARAMETERS = 10_000;

/** The parameters of a query in order; what is wrong (a semicolon, a percent sign without digits) is passed over. */
export function readQuery(query: string): readonly (readonly [name: string, value: string])[] {
  const settings = query.split('&');
  if (settings.length > MAX_PARAMETERS) return [];
  return settings.flatMap((setting) => {
    if (setting === '' || setting.includes(';')) return [];
    const equals = setting.indexOf('=');
    const name = attempt(() => readSetting(setting.slice(0, endOf(equals, setting))));
    const value = attempt(() => (equals < 0 ? '' : readSetting(setting.slice(equals + 1))));
    return name instanceof WrongUrl || value instanceof WrongUrl ? [] : [[name, value] as const];
  });
}

function readSetting(text: string): string {
  return fromBytes(unescapeAny(text.replaceAll('+', ' ')));
}
