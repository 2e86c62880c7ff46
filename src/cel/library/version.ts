/** A semantic version 2.0.0. Numbers are exact up to 2^64 - 1. */
export interface Version {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  /** Numbers and words after the hyphen. */
  readonly prerelease: readonly (bigint | string)[];
  /** What follows the plus sign; it does not count when versions are compared. */
  readonly build: string;
}

const NUMBER = /^(?:0|[1-9]\d*)$/;
const MAX = 2n ** 64n - 1n;

/** Reads a version strictly: all three numbers, no prefix, no leading zeros; undefined if the text is none. */
export function readVersion(text: string): Version | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]*))?(?:\+([0-9A-Za-z.-]*))?$/.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch, prereleaseText, build] = match;
  const numbers = [major, minor, patch].map(readNumber);
  const prerelease = prereleaseText?.split('.').map(readIdentifier) ?? [];
  if (build?.split('.').includes('')) return undefined;
  const [first, second, third] = numbers;
  if (first === undefined || second === undefined || third === undefined || !prerelease.every((part) => part !== undefined))
    return undefined;
  return { numbers: [first, second, third], prerelease, build: build ?? '' };
}

function readNumber(text: string | undefined): bigint | undefined {
  if (text === undefined || text.length > 20 || !NUMBER.test(text)) return undefined;
  const value = BigInt(text);
  return value <= MAX ? value : undefined;
}

function readIdentifier(text: string): bigint | string | undefined {
  if (text === '') return undefined;
  return /^\d+$/.test(text) ? readNumber(text) : text;
}

/** Less, equal, greater: -1, 0, 1. A version before a release is less than it. */
export function compareVersions(a: Version, b: Version): -1 | 0 | 1 {
  for (const [at, number] of a.numbers.entries()) {
    const order = comparePlain(number, b.numbers[at] ?? 0n);
    if (order !== 0) return order;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return comparePlain(b.prerelease.length, a.prerelease.length);
  for (const [at, part] of a.prerelease.entries()) {
    const other = b.prerelease[at];
    if (other === undefined) return 1;
    const order = compareIdentifiers(part, other);
    if (order !== 0) return order;
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0;
}

/** Numbers come before words. */
function compareIdentifiers(a: bigint | string, b: bigint | string): -1 | 0 | 1 {
  if (typeof a === typeof b) return comparePlain(a, b);
  return typeof a === 'bigint' ? -1 : 1;
}

function comparePlain<T extends bigint | number | string>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The text of a version. */
export function printVersion({ numbers, prerelease, build }: Version): string {
  return `${numbers.join('.')}${prerelease.length === 0 ? '' : `-${prerelease.join('.')}`}${build === '' ? '' : `+${build}`}`;
}
