import { fail } from '../error.ts';
import { Opaque, type OpaqueKind } from '../value.ts';
import { define, type FunctionDeclaration, type Library, opaqueNamed, overload, reading } from './declare.ts';
import { hasPrefix, type IpAddress, isMapped, maskAddress, printAddress, readAddress, widthOf } from './ip-address.ts';

/** A network: an address, whose host bits are kept, and the length of the prefix. */
interface Cidr {
  readonly address: IpAddress;
  readonly length: number;
}

const ipKind: OpaqueKind<IpAddress> = {
  type: opaqueNamed('net.IP'),
  tag: 'ip',
  equals: (a, b) => a.family === b.family && a.bits === b.bits,
  print: printAddress,
};

const cidrKind: OpaqueKind<Cidr> = {
  type: opaqueNamed('net.CIDR'),
  tag: 'cidr',
  equals: (a, b) => a.length === b.length && ipKind.equals(a.address, b.address),
  print: printCidr,
};

/** IP addresses and networks: Kubernetes' ip and cidr. */
export const network: Library = {
  name: 'network',
  doc: 'IP addresses and networks. Addresses with a zone and IPv4 addresses written as IPv6 are refused.',
  opaques: [ipKind, cidrKind],
  functions: [
    define('ip', {
      doc: 'Parses an IP address, or returns the address of a network.',
      examples: [
        ["string(ip('2001:DB8::ABCD'))", "'2001:db8::abcd'"],
        ["cidr('192.168.1.5/24').ip() == ip('192.168.1.5')", 'true'],
        ["ip('1.2.3')", { error: 'conversion' }],
      ],
      overloads: [
        overload('ip(string) -> net.IP', (text: string) => new Opaque(ipKind, parseIp(text)), reading),
        overload('net.CIDR.ip() -> net.IP', (cidr: Opaque<Cidr>) => new Opaque(ipKind, cidr.data.address)),
      ],
    }),
    define('isIP', {
      doc: 'Whether ip() accepts a string.',
      examples: [["isIP('127.0.0.256')", 'false']],
      overloads: [overload('isIP(string) -> bool', (text: string) => findIp(text) !== undefined, reading)],
    }),
    define('ip.isCanonical', {
      doc: 'Whether an address is written in its canonical form.',
      examples: [["ip.isCanonical('2001:DB8::1')", 'false']],
      overloads: [overload('ip.isCanonical(string) -> bool', (text: string) => printAddress(parseIp(text)) === text, reading)],
    }),
    define('family', {
      doc: 'The version of an address: 4 or 6.',
      examples: [["ip('::1').family()", '6']],
      overloads: [overload('net.IP.family() -> int', (ip: Opaque<IpAddress>) => ip.data.family)],
    }),
    test('isUnspecified', 'Whether an address is 0.0.0.0 or ::.', isUnspecified, ["ip('0.0.0.0').isUnspecified()", 'true']),
    test('isLoopback', 'Whether an address is in 127.0.0.0/8, or is ::1.', isLoopback, ["ip('127.0.0.1').isLoopback()", 'true']),
    test('isLinkLocalMulticast', 'Whether an address is in 224.0.0.0/24 or ff02::/16, scope link.', isLinkLocalMulticast, [
      "ip('ff02::1').isLinkLocalMulticast()",
      'true',
    ]),
    test('isLinkLocalUnicast', 'Whether an address is in 169.254.0.0/16 or fe80::/10.', isLinkLocalUnicast, [
      "ip('169.254.169.254').isLinkLocalUnicast()",
      'true',
    ]),
    test('isGlobalUnicast', 'Whether an address is a global unicast address. Private addresses are.', isGlobalUnicast, [
      "ip('10.0.0.1').isGlobalUnicast()",
      'true',
    ]),
    define('cidr', {
      doc: 'Parses a network in CIDR notation. Host bits are kept.',
      examples: [
        ["string(cidr('192.168.1.5/24'))", "'192.168.1.5/24'"],
        ["cidr('10.0.0.0/33')", { error: 'conversion' }],
      ],
      overloads: [overload('cidr(string) -> net.CIDR', (text: string) => new Opaque(cidrKind, parseCidr(text)), reading)],
    }),
    define('isCIDR', {
      doc: 'Whether cidr() accepts a string.',
      examples: [["isCIDR('10.0.0.0')", 'false']],
      overloads: [overload('isCIDR(string) -> bool', (text: string) => findCidr(text) !== undefined, reading)],
    }),
    define('containsIP', {
      doc: 'Whether a network contains an address.',
      examples: [["cidr('192.168.0.0/24').containsIP('192.168.0.1')", 'true']],
      overloads: [
        overload('net.CIDR.containsIP(string) -> bool', (cidr: Opaque<Cidr>, text: string) => {
          const address = findIp(text);
          // Kubernetes reports it so.
          if (address === undefined) throw fail('overload', 'the text is no IP address');
          return hasPrefix(address, cidr.data.address, cidr.data.length);
        }),
        overload('net.CIDR.containsIP(net.IP) -> bool', (cidr: Opaque<Cidr>, ip: Opaque<IpAddress>) =>
          hasPrefix(ip.data, cidr.data.address, cidr.data.length),
        ),
      ],
    }),
    define('containsCIDR', {
      doc: 'Whether a network contains all addresses of another.',
      examples: [["cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24')", 'true']],
      overloads: [
        overload('net.CIDR.containsCIDR(string) -> bool', (cidr: Opaque<Cidr>, text: string) => containsCidr(cidr.data, parseCidr(text))),
        overload('net.CIDR.containsCIDR(net.CIDR) -> bool', (cidr: Opaque<Cidr>, other: Opaque<Cidr>) =>
          containsCidr(cidr.data, other.data),
        ),
      ],
    }),
    define('prefixLength', {
      doc: 'The prefix length of a network.',
      examples: [["cidr('192.168.1.5/24').prefixLength()", '24']],
      overloads: [overload('net.CIDR.prefixLength() -> int', (cidr: Opaque<Cidr>) => cidr.data.length)],
    }),
    define('masked', {
      doc: 'The network with its host bits set to zero.',
      examples: [["string(cidr('192.168.1.5/24').masked())", "'192.168.1.0/24'"]],
      overloads: [
        overload('net.CIDR.masked() -> net.CIDR', ({ data: { address, length } }: Opaque<Cidr>) => {
          return new Opaque(cidrKind, { address: maskAddress(address, length), length });
        }),
      ],
    }),
    define('string', {
      doc: 'The canonical string of an address or network.',
      examples: [["string(ip('::1'))", "'::1'"]],
      overloads: [
        overload('string(net.IP) -> string', (ip: Opaque<IpAddress>) => printAddress(ip.data)),
        overload('string(net.CIDR) -> string', (cidr: Opaque<Cidr>) => printCidr(cidr.data)),
      ],
    }),
  ],
};

function test(name: string, doc: string, holds: (ip: IpAddress) => boolean, example: readonly [string, string]): FunctionDeclaration {
  return define(name, {
    doc,
    examples: [example],
    overloads: [overload(`net.IP.${name}() -> bool`, (ip: Opaque<IpAddress>) => holds(ip.data))],
  });
}

function findIp(text: string): IpAddress | undefined {
  const address = readAddress(text);
  return address === undefined || isMapped(address) ? undefined : address;
}

function parseIp(text: string): IpAddress {
  const address = findIp(text);
  if (address === undefined) throw fail('conversion', 'the text is no IP address (a zone and IPv4 written as IPv6 are not allowed)');
  return address;
}

function findCidr(text: string): Cidr | undefined {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return undefined;
  const address = findIp(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (address === undefined || !/^(?:0|[1-9]\d{0,2})$/.test(digits) || Number(digits) > widthOf(address)) return undefined;
  return { address, length: Number(digits) };
}

function parseCidr(text: string): Cidr {
  const cidr = findCidr(text);
  if (cidr === undefined) throw fail('conversion', 'the text is no network: expected an address, a slash and a length, as 10.0.0.0/8');
  return cidr;
}

function printCidr({ address, length }: Cidr): string {
  return `${printAddress(address)}/${length}`;
}

function containsCidr(outer: Cidr, inner: Cidr): boolean {
  return outer.length <= inner.length && hasPrefix(inner.address, outer.address, outer.length);
}

function isUnspecified({ bits }: IpAddress): boolean {
  return bits === 0n;
}

function isLoopback({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 24n === 127n : bits === 1n;
}

function isMulticast({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 28n === 0xen : bits >> 120n === 0xffn;
}

function isLinkLocalMulticast({ family, bits }: IpAddress): boolean {
  // Of IPv6, whatever the flags: ff02, ff12, …
  return family === 4 ? bits >> 8n === 0xe00000n : bits >> 120n === 0xffn && ((bits >> 112n) & 0xfn) === 2n;
}

function isLinkLocalUnicast({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 16n === 0xa9fen : bits >> 118n === 0x3fan;
}

function isGlobalUnicast(ip: IpAddress): boolean {
  if (ip.family === 4 && ip.bits === 0xffffffffn) return false;
  return !isUnspecified(ip) && !isLoopback(ip) && !isMulticast(ip) && !isLinkLocalUnicast(ip);
}
