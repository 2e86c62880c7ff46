import type { Budget } from '../budget.ts';
import { fail } from '../error.ts';
import { MapValue, Opaque, type OpaqueKind, type Value } from '../value.ts';
import { fromBytes } from './bytes.ts';
import { define, type Library, opaqueNamed, overload, reading } from './declare.ts';
import { isRequestUrl, printPath, printUrl, readQuery, readUrl, splitHost, type UrlParts } from './url-parts.ts';

const urlKind: OpaqueKind<UrlParts> = {
  type: opaqueNamed('kubernetes.URL'),
  tag: 'url',
  equals: (a, b) => printUrl(a) === printUrl(b),
  print: printUrl,
};

/** URLs: Kubernetes' url. */
export const url: Library = {
  name: 'url',
  doc: 'URLs and their parts.',
  opaques: [urlKind],
  functions: [
    define('url', {
      doc: 'Parses a URL with a scheme, or an absolute path.',
      examples: [
        ["url('https://example.com:80/a?b=c').getHost()", "'example.com:80'"],
        ["url('example.com')", { error: 'conversion' }],
      ],
      overloads: [
        overload(
          'url(string) -> kubernetes.URL',
          (text: string) => {
            const parts = readUrl(text);
            if (parts === undefined) throw fail('conversion', 'the text is no URL with a scheme, nor a path from the root');
            return new Opaque(urlKind, parts);
          },
          reading,
        ),
      ],
    }),
    define('isURL', {
      doc: 'Whether url() accepts a string.',
      examples: [["isURL('../path')", 'false']],
      overloads: [overload('isURL(string) -> bool', isRequestUrl, reading)],
    }),
    define('getScheme', {
      doc: 'The scheme; empty if there is none.',
      examples: [["url('https://example.com/').getScheme()", "'https'"]],
      overloads: [overload('kubernetes.URL.getScheme() -> string', ({ data }: Opaque<UrlParts>) => data.scheme)],
    }),
    define('getHost', {
      doc: 'The host and port; an IPv6 address is in brackets.',
      examples: [["url('https://[::1]:80/').getHost()", "'[::1]:80'"]],
      overloads: [overload('kubernetes.URL.getHost() -> string', ({ data }: Opaque<UrlParts>) => fromBytes(data.host))],
    }),
    define('getHostname', {
      doc: 'The host without port and brackets.',
      examples: [["url('https://[::1]:80/').getHostname()", "'::1'"]],
      overloads: [overload('kubernetes.URL.getHostname() -> string', ({ data }: Opaque<UrlParts>) => fromBytes(splitHost(data.host)[0]))],
    }),
    define('getPort', {
      doc: 'The port; empty if there is none.',
      examples: [["url('https://example.com:80/').getPort()", "'80'"]],
      overloads: [overload('kubernetes.URL.getPort() -> string', ({ data }: Opaque<UrlParts>) => splitHost(data.host)[1])],
    }),
    define('getEscapedPath', {
      doc: 'The path, percent-encoded where necessary.',
      examples: [["url('https://example.com/with space').getEscapedPath()", "'/with%20space'"]],
      overloads: [overload('kubernetes.URL.getEscapedPath() -> string', ({ data }: Opaque<UrlParts>) => fromBytes(printPath(data)))],
    }),
    define('getQuery', {
      doc: 'The query parameters with all their values. Malformed parameters are left out.',
      examples: [["url('https://example.com/?k=a&k=b').getQuery()", "{'k': ['a', 'b']}"]],
      overloads: [
        overload('kubernetes.URL.getQuery() -> map(string, list(string))', ({ data }: Opaque<UrlParts>, budget: Budget) =>
          queryOf(data, budget),
        ),
      ],
    }),
  ],
};

function queryOf(parts: UrlParts, budget: Budget): MapValue {
  budget.spend(parts.query.length / 16);
  budget.grow(parts.query.length);
  const lists = new Map<string, Value[]>();
  for (const [name, value] of readQuery(parts.query)) {
    const known = lists.get(name);
    if (known === undefined) lists.set(name, [value]);
    else known.push(value);
  }
  const map = new MapValue();
  for (const [name, values] of lists) map.set(name, values);
  return map;
}
