/** An IP address: its family and its 32 or 128 bits. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

/** Says in Go's words why a text is no address, and from where on. */
export class WrongAddress extends Error {
  override readonly name = 'WrongAddress';
  readonly rest: string;

  constructor(message: string, rest = '') {
    super(message);
    this.rest = rest;
  }
}

/** Reads an address as `parseAddress` does, but without a zone; undefined if the text is none. */
export function readAddress(text: string): IpAddress | undefined {
  if (text.includes('%')) return undefined;
  try {
    return parseAddress(text);
  } catch (error) {
    if (error instanceof WrongAddress) return undefined;
    throw error;
  }
}

/** Reads an address as Go's netip does: no leading zeros, no short forms of IPv4; a zone is left out. Throws WrongAddress. */
export function parseAddress(text: string): IpAddress {
  const mark = /[.:%]/.exec(text)?.[0];
  if (mark === '.') return { family: 4, bits: parseIpv4(text) };
  if (mark !== ':') throw new WrongAddress(mark === undefined ? 'unable to parse IP' : 'missing IPv6 address');
  const percent = text.indexOf('%');
  if (percent === text.length - 1) throw new WrongAddress('zone must be a non-empty string');
  return { family: 6, bits: parseIpv6(percent < 0 ? text : text.slice(0, percent)) };
}

function parseIpv4(text: string): bigint {
  const octets = text.split('.');
  let at = 0;
  let bits = 0n;
  for (const [index, octet] of octets.entries()) {
    const isLast = index === octets.length - 1;
    const value = parseOctet(octet, text.slice(at));
    if (octet === '') throw new WrongAddress(NO_DIGIT_IN_IPV4, text.slice(at));
    at += octet.length;
    if (!isLast && at === text.length - 1) throw new WrongAddress(NO_DIGIT_IN_IPV4, text.slice(at));
    if (!isLast && index === 3) throw new WrongAddress('IPv4 address too long');
    at += 1;
    bits = (bits << 8n) | BigInt(value);
  }
  if (octets.length < 4) throw new WrongAddress('IPv4 address too short');
  return bits;
}

const NO_DIGIT_IN_IPV4 = 'IPv4 field must have at least one digit';

function parseOctet(octet: string, rest: string): number {
  const digits = /^\d*/.exec(octet)?.[0] ?? '';
  if (/^0\d/.test(digits)) throw new WrongAddress('IPv4 field has octet with leading zero');
  const value = Number(digits);
  if (value > 255) throw new WrongAddress('IPv4 field has value >255');
  if (digits.length < octet.length) throw new WrongAddress('unexpected character', rest.slice(digits.length));
  return value;
}

const GROUPS = 8;

function parseIpv6(text: string): bigint {
  const groups: bigint[] = [];
  let rest = text;
  let gap: number | undefined;
  if (rest.startsWith('::')) {
    gap = 0;
    rest = rest.slice(2);
  }
  while (rest !== '' && groups.length < GROUPS) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (digits.length > 4) throw new WrongAddress('each group must have 4 or less digits', rest);
    if (digits === '') throw new WrongAddress('each colon-separated field must have at least one digit', rest);
    if (rest.startsWith('.', digits.length)) {
      groups.push(...parseEmbedded(rest, groups.length, gap !== undefined));
      rest = '';
      break;
    }
    groups.push(BigInt(`0x${digits}`));
    rest = rest.slice(digits.length);
    if (rest === '') break;
    rest = afterColon(rest);
    if (!rest.startsWith(':')) continue;
    if (gap !== undefined) throw new WrongAddress('multiple :: in address', rest);
    gap = groups.length;
    rest = rest.slice(1);
  }
  if (rest !== '') throw new WrongAddress('trailing garbage after address', rest);
  return joinGroups(groups, gap);
}

function afterColon(rest: string): string {
  if (!rest.startsWith(':')) throw new WrongAddress('unexpected character, want colon', rest);
  if (rest === ':') throw new WrongAddress('colon must be followed by more characters', rest);
  return rest.slice(1);
}

/** An IPv4 address at the end stands for two groups. */
function parseEmbedded(rest: string, before: number, hasGap: boolean): readonly bigint[] {
  if (!hasGap && before !== GROUPS - 2) {
    throw new WrongAddress('embedded IPv4 address must replace the final 2 fields of the address', rest);
  }
  if (before > GROUPS - 2) throw new WrongAddress('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  const bits = parseIpv4(rest);
  return [bits >> 16n, bits & 0xffffn];
}

/** `gap`: how many groups stand before the "::", which is for those that are missing. */
function joinGroups(groups: readonly bigint[], gap: number | undefined): bigint {
  const missing = GROUPS - groups.length;
  if (gap === undefined && missing > 0) throw new WrongAddress('address string too short');
  if (gap !== undefined && missing === 0) throw new WrongAddress('the :: must expand to at least one field of zeros');
  const all = groups.toSpliced(gap ?? 0, 0, ...Array<bigint>(missing).fill(0n));
  return all.reduce((bits, group) => (bits << 16n) | group, 0n);
}

/** Whether an IPv6 address stands for one of IPv4: `::ffff:1.2.3.4`. */
export function isMapped({ family, bits }: IpAddress): boolean {
  return family === 6 && bits >> 32n === 0xffffn;
}

/** The canonical text: lower case, the longest run of two or more zero groups as `::`. */
export function printAddress(address: IpAddress): string {
  const { family, bits } = address;
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, at) => (bits >> BigInt(112 - 16 * at)) & 0xffffn);
  const [start, length] = longestZeros(groups);
  const print = (part: readonly bigint[]): string => part.map((group) => group.toString(16)).join(':');
  return length < 2 ? print(groups) : `${print(groups.slice(0, start))}::${print(groups.slice(start + length))}`;
}

function longestZeros(groups: readonly bigint[]): readonly [start: number, length: number] {
  let longest: readonly [number, number] = [0, 0];
  let start = 0;
  for (const [at, group] of groups.entries()) {
    if (group !== 0n) start = at + 1;
    else if (at + 1 - start > longest[1]) longest = [start, at + 1 - start];
  }
  return longest;
}

/** Whether the address has this prefix: `10.0.0.0/8`. */
export function hasPrefix(address: IpAddress, prefix: IpAddress, length: number): boolean {
  if (address.family !== prefix.family) return false;
  const rest = BigInt(widthOf(address) - length);
  return address.bits >> rest === prefix.bits >> rest;
}

/** The address with all bits after the first so many zero. */
export function maskAddress(address: IpAddress, length: number): IpAddress {
  const rest = BigInt(widthOf(address) - length);
  return { family: address.family, bits: (address.bits >> rest) << rest };
}

/** The number of bits of addresses of this family. */
export function widthOf({ family }: IpAddress): 32 | 128 {
  return family === 4 ? 32 : 128;
}
