import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { EXPRESSION_LIMITS } from '../../src/cel/budget.ts';
import { choice, duration, flag, flagOf, int, labelSelector, list, printDuration, text, variableOf } from '../../src/service/option.ts';
import { optionTable } from '../../src/service/option-table.ts';
import { CONTROLLER, PROCESSES, WEBHOOK } from '../../src/service/options.ts';
import { parseOptions } from '../../src/service/parse-options.ts';

const options = {
  kubeconfig: text({ help: 'where', fallback: '' }),
  applyConcurrency: int({ help: 'many', fallback: 20, min: 1, max: 100, chart: 'controller.applyConcurrency' }),
  deadline: duration({ help: 'long', fallback: 5000 }),
  watchNamespaces: list({ help: 'which', fallback: [] }),
  logFormat: choice({ help: 'how', fallback: 'json', of: ['json', 'pretty'] }),
  noLeaderElect: flag({ help: 'alone', fallback: false }),
  backoff: duration({ help: 'pause', fallback: 1000, min: 10, max: 86_400_000 }),
  spaces: list({ help: 'where', fallback: [], item: { what: 'the name of a namespace', pattern: /^[a-z]+$/ } }),
  selector: labelSelector({ help: 'whose', fallback: '' }),
};
const parse = (args: readonly string[], environment: Record<string, string> = {}) =>
  parseOptions({ program: 'kro-graph controller', about: 'The controller', options, args, environment });

const defaults = {
  ...{ kubeconfig: '', applyConcurrency: 20, deadline: 5000, watchNamespaces: [], logFormat: 'json', noLeaderElect: false },
  ...{ backoff: 1000, spaces: [], selector: '' },
};
const right: readonly [title: string, args: readonly string[], environment: Record<string, string>, expected: object][] = [
  ['nothing given', [], {}, {}],
  ['flags', ['--kubeconfig', 'f', '--apply-concurrency=3'], {}, { kubeconfig: 'f', applyConcurrency: 3 }],
  [
    'the environment',
    [],
    { KRO_GRAPH_APPLY_CONCURRENCY: '4', KRO_GRAPH_LOG_FORMAT: 'pretty' },
    { applyConcurrency: 4, logFormat: 'pretty' },
  ],
  ['a flag wins over the environment', ['--apply-concurrency', '3'], { KRO_GRAPH_APPLY_CONCURRENCY: '4' }, { applyConcurrency: 3 }],
  ['an empty variable is none', [], { KRO_GRAPH_APPLY_CONCURRENCY: '' }, {}],
  ['durations', ['--deadline', '1h30m5.5s'], {}, { deadline: 5_405_500 }],
  ['lists', ['--watch-namespaces', 'a, b,,c'], {}, { watchNamespaces: ['a', 'b', 'c'] }],
  ['a bare flag', ['--no-leader-elect'], {}, { noLeaderElect: true }],
  ['a flag with a value', ['--no-leader-elect=false'], { KRO_GRAPH_NO_LEADER_ELECT: 'true' }, { noLeaderElect: false }],
];
for (const [title, args, environment, expected] of right) {
  t.test(title, async (t) => t.same(parse(args, environment), { word: 'run', values: { ...defaults, ...expected }, operands: [] }));
}

const wrong: readonly [title: string, args: readonly string[], environment: Record<string, string>, line: string][] = [
  [
    'an unknown flag, with the nearest',
    ['--apply-concurency', '3'],
    {},
    "unknown option '--apply-concurency' (Did you mean --apply-concurrency?)",
  ],
  ['an operand that is not wanted', ['file'], {}, 'too many arguments. Expected 0 arguments but got 1: file.'],
  ['a flag without its value', ['--kubeconfig'], {}, "option '--kubeconfig <text>' argument missing"],
  ['a number out of bounds', ['--apply-concurrency', '0'], {}, '--apply-concurrency: expected an integer from 1 to 100, found "0"'],
  ['no number', ['--apply-concurrency', '3x'], {}, '--apply-concurrency: expected an integer from 1 to 100, found "3x"'],
  ['a duration without unit', ['--deadline', '5'], {}, '--deadline: expected a duration such as 5s or 1h30m, found "5"'],
  ['a duration that is too short', ['--backoff', '0s'], {}, '--backoff: expected a duration from 10ms to 24h, found "0s"'],
  [
    'a duration beyond what timers count, where nothing else bounds it',
    ['--deadline', '600h'],
    {},
    '--deadline: expected a duration from 0s to 596h31m23s647ms, found "600h"',
  ],
  ['a name that is none', ['--spaces', 'a,B_'], {}, '--spaces: expected the name of a namespace, found "B_"'],
  [
    'a selector that is none',
    ['--selector', 'a&b'],
    {},
    '--selector: expected a label selector such as shard=a or "shard in (a, b), !old", found "a&b"',
  ],
  ['a choice that is none', ['--log-format', 'xml'], {}, '--log-format: expected one of json, pretty, found "xml"'],
  [
    'a wrong variable, by its name',
    [],
    { KRO_GRAPH_DEADLINE: 'soon' },
    'KRO_GRAPH_DEADLINE: expected a duration such as 5s or 1h30m, found "soon"',
  ],
  ['a flag that is neither', ['--no-leader-elect=maybe'], {}, '--no-leader-elect: expected true or false, found "maybe"'],
];
for (const [title, args, environment, line] of wrong) {
  t.test(`one line and exit code 2 for ${title}`, async (t) => {
    const output = `kro-graph controller: ${line} (see kro-graph controller --help)\n`;
    t.same(parse(args, environment), { word: 'exit', code: 2, output });
  });
}

t.test('--help names flag, default and variable', async (t) => {
  const parsed = parse(['--help']);
  t.match(parsed, {
    word: 'exit',
    code: 0,
    output: /--apply-concurrency <integer>\s+many \(default 20, env KRO_GRAPH_APPLY_CONCURRENCY\)/,
  });
});

t.test('operands where they are wanted', async (t) => {
  const parsed = parseOptions({ program: 'x', about: '', options: {}, args: ['a', 'b'], environment: {}, operands: 'FILE...' });
  t.match(parsed, { word: 'run', operands: ['a', 'b'] });
});

t.test('flag and variable bear the words of the chart value', async (t) => {
  t.same([flagOf('applyConcurrency'), variableOf('applyConcurrency')], ['--apply-concurrency', 'KRO_GRAPH_APPLY_CONCURRENCY']);
  for (const [name, { chart }] of Object.entries({ ...WEBHOOK, ...CONTROLLER })) {
    if (chart === undefined) continue;
    const words = chart.replace(/^(webhook|controller)\./, '').split('.');
    const [first = '', ...rest] = words;
    t.equal(name, first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''), chart);
  }
});

t.test('every default is a value that its own option reads', async (t) => {
  for (const [name, option] of Object.entries({ ...WEBHOOK, ...CONTROLLER })) {
    const read = (one: { read(text: string): unknown; print(value: never): string; fallback: unknown }): unknown =>
      one.read(one.print(one.fallback as never));
    t.same(read(option), option.fallback, name);
  }
});

t.test('durations are printed as they are read', async (t) => {
  t.same([0, 250, 5000, 5_400_000, 315_360_000_000].map(printDuration), ['0s', '250ms', '5s', '1h30m', '87600h']);
});

t.test('the table of the manual has one row an option, with the processes that know it', async (t) => {
  const table = optionTable(PROCESSES);
  t.match(
    table,
    /\| `--apply-concurrency <integer>` \| `KRO_GRAPH_APPLY_CONCURRENCY` \| `controller.applyConcurrency` \| controller \| `20` \|/,
  );
  t.match(table, /\| `--log-format <json\\\|pretty>` \| `KRO_GRAPH_LOG_FORMAT` \| `log.format` \| webhook, controller \|/);
  t.equal(table.match(/`--kubeconfig/g)?.length, 1);
});

t.test('every option of a process is read by it: none is accepted in vain', (t) => {
  const root = join(import.meta.dirname, '../..');
  for (const [process, options] of Object.entries(PROCESSES)) {
    const files = readdirSync(join(root, process), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const source = files.map((file) => readFileSync(join(root, process, file), 'utf8')).join('\n');
    for (const name of Object.keys(options)) t.match(source, new RegExp(`\\b${name}\\b`), `${process} ${name}`);
  }
  t.end();
});

t.test('a controller allows an expression what `kro-graph cel` allows it', (t) => {
  t.equal(PROCESSES.controller.limitsExpressionSteps.fallback, EXPRESSION_LIMITS.steps);
  t.end();
});
