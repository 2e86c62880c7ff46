/** An IP address: its family and its 32 or 128 bits. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

/** Reads an address as Go's netip does, without a zone: no leading zeros, no short forms of IPv4; undefined if the text is none. */
export function readAddress(text: string): IpAddress | undefined {
  if (text.includes(':')) {
    const bits = readIpv6(text);
    return bits === undefined ? undefined : { family: 6, bits };
  }
  const bits = readIpv4(text);
  return bits === undefined ? undefined : { family: 4, bits };
}

function readIpv4(text: string): bigint | undefined {
  const parts = text.split('.', 5);
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return undefined;
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function readIpv6(text: string): bigint | undefined {
  if (text.length > 45) return undefined;
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(readGroups);
  if (head === undefined || (halves.length === 2 && (tail === undefined || head.includesIpv4))) return undefined;
  const known = head.groups.length + (tail?.groups.length ?? 0);
  if (halves.length === 1 ? known !== 8 : known > 7) return undefined;
  const groups = [...head.groups, ...Array<bigint>(8 - known).fill(0n), ...(tail?.groups ?? [])];
  return groups.reduce((bits, group) => (bits << 16n) | group, 0n);
}

interface Groups {
  readonly groups: readonly bigint[];
  readonly includesIpv4: boolean;
}

/** Groups of up to four hexadecimal digits; the last may be an IPv4 address, which stands for two. */
function readGroups(text: string): Groups | undefined {
  if (text === '') return { groups: [], includesIpv4: false };
  const parts = text.split(':');
  const last = parts.at(-1) ?? '';
  const embedded = last.includes('.') ? readIpv4(last) : undefined;
  if (embedded !== undefined) parts.pop();
  if (!parts.every((part) => /^[0-9a-fA-F]{1,4}$/.test(part))) return undefined;
  const groups = parts.map((part) => BigInt(`0x${part}`));
  return embedded === undefined
    ? { groups, includesIpv4: false }
    : { groups: [...groups, embedded >> 16n, embedded & 0xffffn], includesIpv4: true };
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
