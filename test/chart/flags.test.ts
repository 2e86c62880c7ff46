import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { flagsPage, SET_BY_THE_CHART } from '../../scripts/flags.ts';
import { flagOf, type Option } from '../../src/service/option.ts';
import { PROCESSES } from '../../src/service/options.ts';
import type { AnyObject } from '../cluster/admin.ts';
import { pick, render, renderFault } from './render.ts';

/** Where the chart knows which durations go together. */
const DURATIONS: Readonly<Record<string, string>> = {
  'webhook.deadline': '7s',
  'controller.leaderElection.leaseDuration': '9h',
  'controller.leaderElection.renewDeadline': '8h',
};

type Row = readonly [process: string, name: string, option: Option<unknown>];

const rows: readonly Row[] = Object.entries(PROCESSES).flatMap(([process, options]) =>
  Object.entries(options).map(([name, option]): Row => [process, name, option as Option<unknown>]),
);

test('each flag has a chart value, or a place in the list of those that have none', (t) => {
  for (const [process, name, { chart }] of rows) {
    t.equal(chart === undefined, name in SET_BY_THE_CHART, `${process} ${flagOf(name)}`);
  }
  const names = new Set(rows.map(([, name]) => name));
  t.strictSame(
    Object.keys(SET_BY_THE_CHART).filter((name) => !names.has(name)),
    [],
    'the list names no flag that is gone',
  );
  t.end();
});

test('docs/flags.md is current', (t) => {
  t.equal(readFileSync(join(import.meta.dirname, '../../docs/flags.md'), 'utf8'), flagsPage(), 'run: node scripts/flags.ts');
  t.end();
});

test('a chart value becomes the flag of its words', async (t) => {
  const values: AnyObject = {};
  for (const [, , { chart, shape }] of rows) if (chart !== undefined) assign(values, chart.split('.'), sampleOf(chart, shape));
  // The durations of selfSigned are given in that mode only.
  values['webhook'].tls.mode = 'selfSigned';
  const rendered = await render({ values });
  for (const [process, name, { chart, shape }] of rows) {
    if (chart === undefined || name === 'tlsMode') continue;
    const sample = sampleOf(chart, shape);
    const printed = Array.isArray(sample) ? sample.join(',') : String(sample);
    t.ok(argsOf(rendered, process).includes(`${flagOf(name)}=${printed}`), `${process}: ${chart} -> ${flagOf(name)}=${printed}`);
  }
});

test('the chart refuses the durations that the processes refuse, and names the same bounds', async (t) => {
  for (const text of ['1ms', '999999h']) {
    const values: AnyObject = {};
    const expected: string[] = [];
    for (const [, , { chart, shape, read }] of rows) {
      if (chart === undefined || shape !== 'duration') continue;
      assign(values, chart.split('.'), text);
      expected.push(`${chart} is ${text}: expected ${boundsOf(() => read(text))}`);
    }
    const said = await renderFault({ values });
    for (const sentence of expected) t.ok(said.includes(sentence), sentence);
  }
});

test('the defaults of the chart are those of the processes', async (t) => {
  const rendered = await render({ values: { webhook: { tls: { mode: 'selfSigned' } } } });
  for (const [process, name, option] of rows) {
    if (option.chart === undefined || name === 'tlsMode') continue;
    const prefix = `${flagOf(name)}=`;
    const given = argsOf(rendered, process).find((arg) => arg.startsWith(prefix));
    // What is empty is not given.
    t.strictSame(
      given === undefined ? option.fallback : option.read(given.slice(prefix.length)),
      option.fallback,
      `${process} ${option.chart}`,
    );
  }
});

test('no flag is given that the process does not know', async (t) => {
  for (const mode of ['self-signed-values.yaml', 'secret-values.yaml', 'everything-values.yaml']) {
    const rendered = await render({ mode });
    for (const [process, options] of Object.entries(PROCESSES)) {
      const known = new Set(Object.keys(options).map(flagOf));
      const [program, ...args] = argsOf(rendered, process);
      t.equal(program, process);
      t.strictSame(
        args.filter((arg) => !known.has(arg.split('=')[0] ?? '')),
        [],
        `${mode}: ${process}`,
      );
    }
  }
});

function argsOf(rendered: Awaited<ReturnType<typeof render>>, process: string): string[] {
  return pick(rendered, 'Deployment', `kro-graph-${process}`)['spec'].template.spec.containers[0].args;
}

/** The bounds that an option's refusal names. */
function boundsOf(read: () => unknown): string {
  try {
    return `anything, such as ${read()}`;
  } catch (error) {
    return /expected a duration from (.*), found/.exec(String(error))?.[1] ?? String(error);
  }
}

/** A value that is not the default of any option. */
function sampleOf(chart: string, shape: string): unknown {
  if (shape === 'integer')
    return 70_001 - (chart.startsWith('controller.concurrency') || chart.startsWith('controller.apply') ? 70_000 - 6 : 0);
  if (shape === 'duration') return DURATIONS[chart] ?? '7h';
  if (shape.includes('|')) return shape.split('|').at(-1);
  if (chart === 'controller.watchNamespaces') return ['a', 'b'];
  return 'a in (b,c)';
}

function assign(map: AnyObject, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) map[key] = value;
  else {
    map[key] ??= {};
    assign(map[key], rest, value);
  }
}
