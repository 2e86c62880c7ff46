import { readAddress } from './ip-address.ts';

/**
 * The parts of a URL as Go's net/url tells them apart. Texts hold one character for each byte of UTF-8, so that percent signs can be
 * resolved to any bytes; `fromBytes` makes them texts again.
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
  query: safeBytes(''),
  fragment: safeBytes('!$&()*+,/:;=?@'),
} as const;

function safeBytes(punctuation: string): ReadonlySet<string> {
  return new Set(`ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~${punctuation}`);
}

type Part = keyof typeof SAFE;

/** The text, one character for each byte of its UTF-8. */
export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** The text of such bytes. */
export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Whether a text is a URL that a request could name: absolute, or a path from the root. */
export function isRequestUrl(text: string): boolean {
  return readParts(toBytes(text), '', true) !== undefined;
}

/** The parts of a URL that a request could name, with its fragment; undefined if the text is none. */
export function readUrl(text: string): UrlParts | undefined {
  if (!isRequestUrl(text)) return undefined;
  const [url = '', ...fragment] = toBytes(text).split('#');
  return readParts(url, fragment.join('#'), false);
}

function readParts(text: string, fragmentText: string, isRequest: boolean): UrlParts | undefined {
  if (hasControls(text) || (isRequest && text === '')) return undefined;
  const fragment = decoded(fragmentText, 'fragment');
  if (fragment === undefined) return undefined;
  const none = { scheme: '', opaque: '', user: undefined, host: '', omitsHost: false, query: '', hasQuery: false, fragment };
  if (text === '*') return { ...none, path: { plain: '*', written: '*' } };
  if (text.startsWith(':')) return undefined;
  const written = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/.exec(text)?.[0];
  const scheme = written?.toLowerCase() ?? '';
  const afterScheme = written === undefined ? text : text.slice(written.length + 1);
  const mark = afterScheme.indexOf('?');
  const hasQuery = mark >= 0;
  const query = hasQuery ? afterScheme.slice(mark + 1) : '';
  const rest = hasQuery ? afterScheme.slice(0, mark) : afterScheme;
  const common = { ...none, scheme, query, hasQuery };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...common, opaque: rest, path: { plain: '', written: '' } };
    if (isRequest || rest.split('/', 1)[0]?.includes(':')) return undefined;
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || (!isRequest && !rest.startsWith('///')));
  const pathStart = hasAuthority ? endOf(rest.indexOf('/', 2), rest) : 0;
  const path = decoded(rest.slice(pathStart), 'path');
  if (path === undefined) return undefined;
  if (!hasAuthority) return { ...common, omitsHost: scheme !== '' && rest.startsWith('/'), path };
  const authority = readAuthority(rest.slice(2, pathStart), scheme);
  return authority && { ...common, ...authority, path };
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

function decoded(written: string, part: Part): Encoded | undefined {
  const plain = resolveEscapes(written, part);
  return plain === undefined ? undefined : { plain, written };
}

function readAuthority(text: string, scheme: string): Pick<UrlParts, 'user' | 'host'> | undefined {
  const at = text.lastIndexOf('@');
  const host = readHost(text.slice(at + 1), scheme);
  if (host === undefined) return undefined;
  if (at < 0) return { user: undefined, host };
  const info = text.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(info)) return undefined;
  const colon = info.indexOf(':');
  const name = resolveEscapes(colon < 0 ? info : info.slice(0, colon), 'user');
  const password = colon < 0 ? undefined : resolveEscapes(info.slice(colon + 1), 'user');
  if (name === undefined || (colon >= 0 && password === undefined)) return undefined;
  return { user: { name, password }, host };
}

function readHost(text: string, scheme: string): string | undefined {
  const bracket = text.lastIndexOf('[');
  if (bracket > 0) return undefined;
  if (bracket === 0) return readLiteralHost(text);
  // Hosts with several colons are an old habit of databases, not of the web.
  const isWeb = scheme === 'http' || scheme === 'https';
  const colon = isWeb ? text.indexOf(':') : text.lastIndexOf(':');
  if (colon >= 0 && !isPort(text.slice(colon))) return undefined;
  return unescapeHost(text, isHostByte);
}

/** `[::1]:80`, with a zone as `[fe80::1%25eth0]`. */
function readLiteralHost(text: string): string | undefined {
  const close = text.lastIndexOf(']');
  const port = text.slice(close + 1);
  if (close < 0 || !isPort(port)) return undefined;
  const inner = text.slice(1, close);
  const percent = inner.indexOf('%25');
  const address = unescapeHost(percent < 0 ? inner : inner.slice(0, percent), isHostByte);
  const zone = percent < 0 ? '' : unescapeHost(inner.slice(percent), isZoneByte);
  if (address === undefined || zone === undefined || zone === '%') return undefined;
  return readAddress(address)?.family === 6 ? `[${address}${zone}]${port}` : undefined;
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

function unescapeHost(text: string, isAllowed: (byte: string) => boolean): string | undefined {
  const escapes = text.match(/%[0-9A-Fa-f]{2}/g) ?? [];
  if (!escapes.every((sequence) => isAllowed(byteOf(sequence)))) return undefined;
  const plain = text.replace(/%[0-9A-Fa-f]{2}/g, '');
  for (const byte of plain) if (byte < '\x80' && needsEscape(byte, 'host')) return undefined;
  return text.replace(/%[0-9A-Fa-f]{2}/g, byteOf);
}

function byteOf(sequence: string): string {
  return String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
}

/** Resolves percent signs (and plus signs, in a query); undefined if one is not followed by two digits. */
function resolveEscapes(text: string, part: Part): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  const spaced = part === 'query' ? text.replaceAll('+', ' ') : text;
  return spaced.replace(/%[0-9A-Fa-f]{2}/g, byteOf);
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
    const name = resolveEscapes(equals < 0 ? setting : setting.slice(0, equals), 'query');
    const value = equals < 0 ? '' : resolveEscapes(setting.slice(equals + 1), 'query');
    return name === undefined || value === undefined ? [] : [[fromBytes(name), fromBytes(value)] as const];
  });
}
