import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';

/** Inputs per target; the seed is fixed, so that a run is the same everywhere. */
export const RUNS = Number(process.env['KRO_GRAPH_FUZZ_RUNS'] ?? 20_000);
export const SEED = 20_261_130;

const CASES = new URL('../cases/compile/', import.meta.url);
/** The Graphs of the compile cases. */
export const caseGraphs: readonly unknown[] = readdirSync(CASES).map((file) => parse(readFileSync(new URL(file, CASES), 'utf8')));

/** Pieces of which expressions and broken expressions are made. */
const pieces = [
  'cfg',
  'x',
  'each',
  '.a',
  '.?b',
  "['c']",
  '[0]',
  '[?1]',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '${',
  '$',
  "'",
  '"',
  "'''",
  '"""',
  'r"',
  "b'",
  '\\',
  '//',
  '\n',
  '`',
  ' ',
  '1',
  '1.5',
  '1u',
  '0x',
  '-',
  '+',
  '*',
  '/',
  '%',
  '&&',
  '||',
  '!',
  '==',
  '<=',
  ' in ',
  '?',
  ':',
  ',',
  'true',
  'null',
  '.map(i, i)',
  '.filter(',
  '.all(i, ',
  'has(',
  'cel.bind(v, 1, v)',
  'string(',
  'int(',
  'size(',
  'omit()',
  'optional.of(',
  '.orValue(',
  'é',
  '😀',
  '\u0000',
  'lists.range(',
  "'a'.split('')",
  '.join(",")',
];
/** Texts that are nearly expressions. */
export const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join(''));

/** One change of a Graph. */
export interface Mutation {
  /** Chooses the place: the n-th value of the Graph, counted in order, modulo their number. */
  readonly at: number;
  readonly change: (value: unknown) => unknown;
}

/** Any change. */
export function mutation(): fc.Arbitrary<Mutation> {
  const replace = fc.oneof(
    soup.map((text) => `\${${text}}`),
    fc.constantFrom<unknown>(
      '',
      null,
      0,
      -1,
      1.5,
      true,
      [],
      {},
      ['x'],
      '${',
      '${cfg}',
      '${cfg.x}',
      '${cm.data.k}',
      ' ${cfg.x}',
      '${[1, 2]}',
      { a: '${b}' },
      'spec',
      'cm',
    ),
    fc.jsonValue(),
  );
  const wrap = fc.constantFrom<(value: unknown) => unknown>(
    (value) => [value],
    (value) => ({ value }),
    (value) => (Array.isArray(value) ? [...value, ...value] : value),
    (value) => (typeof value === 'string' ? `\${${value}}` : value),
    (value) => (typeof value === 'string' ? `${value}\n` : value),
    (value) => (typeof value === 'string' ? value.replace('${', '${(').replace('}', ')}') : value),
    (value) => (typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).reverse()) : value),
    (value) => ({ nodes: [{ id: 'inner', def: { v: value } }] }),
    () => undefined,
  );
  const change = fc.oneof(
    replace.map((value) => () => value),
    wrap,
  );
  return fc.record({ at: fc.nat({ max: 200 }), change });
}

/** Changes one value in place; `undefined` removes it. */
export function applyMutation(graph: unknown, { at, change }: Mutation): unknown {
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const pending = [graph];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const holder = value as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      places.push({ holder, key });
      pending.push(holder[key]);
    }
  }
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return change(graph);
  const changed = change(place.holder[place.key]);
  if (changed === undefined && Array.isArray(place.holder)) place.holder.splice(Number(place.key), 1);
  else if (changed === undefined) delete place.holder[place.key];
  else place.holder[place.key] = changed;
  return graph;
}
