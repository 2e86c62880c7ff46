import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { CelResult } from '../../src/cli/cel-case.ts';

/** A golden case of test/cases/cel. */
export interface GoldenCase {
  readonly id: string;
  readonly expr: string;
  readonly use?: readonly string[];
  readonly type?: string;
  readonly value?: unknown;
  readonly error?: { readonly phase?: string; readonly kind?: string; readonly has?: string };
}

/** A YAML file as JSON values, integers beyond 2^53 as bigint. */
export function readExactYaml(path: string | URL): unknown {
  return exact(parse(readFileSync(path, 'utf8'), { intAsBigInt: true }));
}

function exact(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, exact(item)]));
}

/** What differs between a result and what the case wants; undefined if nothing. */
export function compareCase(wanted: GoldenCase, result: CelResult): string | undefined {
  const found = JSON.stringify(result);
  if (wanted.type !== undefined && !typeFits(wanted.type, result.type)) return `type: wanted ${wanted.type}, found ${found}`;
  if (wanted.error === undefined)
    return tagsEqual(wanted.value, result.value) ? undefined : `value: wanted ${JSON.stringify(wanted.value)}, found ${found}`;
  const { error } = result;
  if (error === undefined) return `wanted error ${JSON.stringify(wanted.error)}, found ${found}`;
  const { phase, kind, has } = wanted.error;
  if (phase !== undefined && phase !== error.phase) return `phase: wanted ${JSON.stringify(wanted.error)}, found ${found}`;
  if (kind !== undefined && kind !== error.kind) return `kind: wanted ${JSON.stringify(wanted.error)}, found ${found}`;
  if (has !== undefined && !error.message.toLowerCase().includes(String(has).toLowerCase())) return `message without "${has}": ${found}`;
  return undefined;
}

function typeFits(wanted: string, found: string | undefined): boolean {
  if (found === undefined) return false;
  const plain = (text: string): string =>
    text
      .replaceAll(' ', '')
      .replace(/\btype\((?:[^()]|\([^()]*\))*\)/g, 'type')
      .replace(/\bnull\b/g, 'null_type');
  const pattern = plain(wanted)
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\bdyn\b/g, '.+');
  return new RegExp(`^${pattern}$`).test(plain(found));
}

function tagsEqual(wanted: unknown, found: unknown): boolean {
  if (wanted === null || found === null || typeof wanted !== 'object' || typeof found !== 'object') return Object.is(wanted, found);
  const [tag, content] = Object.entries(wanted)[0] ?? [];
  const [foundTag, foundContent] = Object.entries(found)[0] ?? [];
  if (tag !== foundTag) return false;
  switch (tag) {
    case 'list':
      return listsEqual(content, foundContent);
    case 'map':
      return mapsEqual(content as readonly unknown[][], foundContent as readonly unknown[][]);
    case 'optional':
      return tagsEqual(content, foundContent);
    case 'timestamp':
      return String(content) === String(foundContent);
    default:
      return typeof content === 'object' ? tagsEqual(content, foundContent) : String(content) === String(foundContent);
  }
}

function listsEqual(wanted: unknown, found: unknown): boolean {
  if (!Array.isArray(wanted) || !Array.isArray(found) || wanted.length !== found.length) return false;
  return wanted.every((item, at) => tagsEqual(item, found[at]));
}

function mapsEqual(wanted: readonly unknown[][], found: readonly unknown[][]): boolean {
  if (wanted.length !== found.length) return false;
  return wanted.every(([key, value]) => found.some(([otherKey, other]) => tagsEqual(key, otherKey) && tagsEqual(value, other)));
}
