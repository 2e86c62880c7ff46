import type { ScalarTag } from 'yaml';

/** A plain scalar that is a number to kubectl but cannot be written as JSON. */
export class NotJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const INT64 = 2n ** 63n;
const UINT64 = 2n ** 64n;

/**
 * What kubectl makes of plain scalars: neither YAML 1.1 (no base 60) nor 1.2 (`yes`, `0777`, `1_000` are no strings). Dates are
 * strings. Integers are exact.
 */
export const kubectlScalars: readonly ScalarTag[] = [
  {
    tag: 'tag:yaml.org,2002:null',
    default: true,
    test: /^(?:~|null|Null|NULL)?$/,
    resolve: () => null,
  },
  {
    tag: 'tag:yaml.org,2002:bool',
    default: true,
    test: /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON|n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/,
    resolve: (text) => /^(?:y|true|on)/i.test(text),
  },
  {
    tag: 'tag:yaml.org,2002:int',
    default: true,
    test: /^(?:[0-9]|[-+][0-9_])[0-9a-fA-FxXoObB_]*$/,
    resolve: readNumber,
  },
  {
    tag: 'tag:yaml.org,2002:float',
    default: true,
    test: /^[-+.0-9]/,
    resolve: readNumber,
  },
  {
    tag: 'tag:yaml.org,2002:binary',
    default: false,
    resolve: (text) => Buffer.from(text, 'base64').toString('utf8'),
  },
  {
    tag: 'tag:yaml.org,2002:timestamp',
    default: false,
    resolve: (text) => text,
  },
];

/** The number, or the text itself if it is none. */
function readNumber(text: string): number | bigint | string | NotJson {
  if (/^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/.test(text)) return new NotJson(text);
  if (text.startsWith('.')) return FLOAT.test(text) ? Number(text) : text;
  const plain = text.replaceAll('_', '');
  const integer = readInteger(plain);
  // What is larger than an int64 the API server reads as a double.
  if (integer !== undefined) return Number.isSafeInteger(Number(integer)) || integer >= INT64 ? Number(integer) : integer;
  return FLOAT.test(plain) && Number.isFinite(Number(plain)) ? Number(plain) : text;
}

/** Within 64 bits, signed or not (what is larger is a double); a leading zero makes it octal. */
function readInteger(text: string): bigint | undefined {
  const parts = /^([-+]?)(?:(0[xX][0-9a-fA-F]+)|0[oO]?([0-7]+)|(0[bB][01]+)|(0|[1-9][0-9]*))$/.exec(text);
  if (parts === null) return undefined;
  const [, sign, hexadecimal, octal, binary, decimal] = parts;
  const size = BigInt(hexadecimal ?? (octal === undefined ? (binary ?? decimal ?? '0') : `0o${octal}`));
  const value = sign === '-' ? -size : size;
  return value >= -INT64 && value < UINT64 ? value : undefined;
}
