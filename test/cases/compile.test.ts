import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { parse } from 'yaml';
import { compile } from '../../src/compiler/compile.ts';
import { printLine } from '../../src/diagnostic/print.ts';
import { testSnapshot } from '../support/schemas.ts';

const FOLDERS = ['compile', 'compile-more'];
const GAUGES = readFileSync(new URL('./crds/gauges.example.com.yaml', import.meta.url), 'utf8');

interface Case {
  readonly expect: 'accept' | 'reject' | 'warn';
  readonly why: string;
  readonly has: readonly string[];
  readonly graph: unknown;
}

const schemas = testSnapshot(GAUGES);

for (const folder of FOLDERS) {
  const cases = new URL(`./${folder}/`, import.meta.url);
  for (const file of readdirSync(cases).sort()) {
    const { expect, why, has, graph } = readCase(readFileSync(new URL(file, cases), 'utf8'));
    t.test(`${file}: ${why}`, (t) => {
      const { program, diagnostics } = compile({ graph, schemas });
      const lines = diagnostics.map(printLine);
      const found = program === undefined ? 'reject' : diagnostics.length > 0 ? 'warn' : 'accept';
      t.equal(found, expect, lines.join('\n'));
      const text = lines.join('\n').toLowerCase();
      for (const word of has) t.ok(text.includes(word), `the message has "${word}": ${text}`);
      t.end();
    });
  }
}

function readCase(text: string): Case {
  const header = (name: string) => new RegExp(`^# ${name}: (.*)$`, 'm').exec(text)?.[1];
  const expect = header('expect');
  if (expect !== 'accept' && expect !== 'reject' && expect !== 'warn') throw new Error('a case says what to expect');
  const words = header('message-has') ?? header('warning-has') ?? '';
  const has = words
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
  return { expect, why: header('why') ?? '', has, graph: parse(text) };
}
