import type { Budget } from '../budget.ts';
import { fail } from '../error.ts';
import type { Value } from '../value.ts';
import { define, type Library, overload } from './declare.ts';
import { KUBERNETES, PROTOBUF, readJson, writeJson } from './json-text.ts';

/** Values as text: cel-go's encoders extension and kro's JSON. */
export const encoding: Library = {
  name: 'encoding',
  doc: 'Base64 and JSON.',
  functions: [
    define('base64.encode', {
      doc: 'Encodes bytes as standard base64 with padding.',
      examples: [["base64.encode(b'hello')", "'aGVsbG8='"]],
      overloads: [overload('base64.encode(bytes) -> string', (bytes: Uint8Array) => Buffer.from(bytes).toString('base64'))],
    }),
    define('base64.decode', {
      doc: 'Decodes standard base64, with or without padding. Line breaks are ignored.',
      examples: [
        ["base64.decode('aGVsbG8=')", "b'hello'"],
        ["base64.decode('a b')", { error: 'conversion' }],
      ],
      overloads: [overload('base64.decode(string) -> bytes', decodeBase64)],
    }),
    define('json.marshal', {
      doc: 'A value as JSON with sorted keys, as Kubernetes writes it: times to the second, durations as 1m30s. An object that was read is written as it was read.',
      examples: [["json.marshal({'b': 1, 'a': [true, null]})", '\'{"a":[true,null],"b":1}\'']],
      overloads: [
        overload('json.marshal(dyn) -> string', (value: Value, budget: Budget) => writeJson(value, KUBERNETES, budget), { size: () => 0 }),
      ],
    }),
    define('json.encode', {
      doc: 'A value as JSON with sorted keys, as protobuf writes it: durations as 90s, integers beyond 2^53 as strings.',
      examples: [["json.encode({'a': duration('90s')})", '\'{"a":"90s"}\'']],
      overloads: [
        overload('json.encode(dyn) -> string', (value: Value, budget: Budget) => writeJson(value, PROTOBUF, budget), { size: () => 0 }),
      ],
    }),
    define('json.unmarshal', {
      doc: 'The value of a JSON string; every number is a double.',
      examples: [
        ['json.unmarshal(\'{"a": [1, 2]}\').a[1]', '2.0'],
        ["json.unmarshal('{')", { error: 'conversion' }],
      ],
      overloads: [overload('json.unmarshal(string) -> dyn', readJson, { size: () => 0 })],
    }),
  ],
};

function decodeBase64(text: string): Uint8Array {
  const plain = text.replace(/[\r\n]+/g, '');
  const digits = plain.replace(/={1,2}$/, '');
  const padded = digits.length !== plain.length;
  const whole = padded ? plain.length % 4 === 0 : digits.length % 4 !== 1;
  if (!whole || !/^[A-Za-z0-9+/]*$/.test(digits)) throw fail('conversion', 'the text is no base64');
  return Uint8Array.from(Buffer.from(digits, 'base64'));
}
