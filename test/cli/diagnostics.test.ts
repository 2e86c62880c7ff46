import { globSync, readFileSync } from 'node:fs';
import t from 'tap';
import { parse } from 'yaml';
import { diagnosticManual } from '../../src/cli/commands/diagnostics.ts';
import { diagnosticExamples, EXAMPLE_CRD } from '../../src/cli/manual/diagnostic-examples.ts';
import { otherCodes } from '../../src/cli/manual/other-codes.ts';
import { type Compiled, compile } from '../../src/compiler/compile.ts';
import { compilerDiagnostics } from '../../src/compiler/diagnostics.ts';
import { printLine } from '../../src/diagnostic/print.ts';
import { compileNodes } from '../support/compile.ts';
import { testSnapshot } from '../support/schemas.ts';

const MANUAL = new URL('../../docs/diagnostics.md', import.meta.url);

const schemas = testSnapshot(EXAMPLE_CRD);

function compileExample(text: string): Compiled {
  return text.startsWith('-') ? compileNodes(text, { schemas }) : compile({ graph: parse(text), schemas });
}

t.test('every code is explained, and nothing else', (t) => {
  t.same(
    Object.keys(diagnosticExamples).sort(),
    compilerDiagnostics().map(({ code }) => code),
  );
  t.end();
});

t.test('every code that a source file spells is in the manual', (t) => {
  const root = new URL('../../', import.meta.url).pathname;
  const sources = globSync('{src,webhook,controller}/**/*.ts', { cwd: root }).filter((file) => !file.startsWith('src/cli/manual/'));
  const spelled = sources.flatMap((file) =>
    [...readFileSync(`${root}${file}`, 'utf8').matchAll(/code: '([a-z-]+\/[a-z-]+)'/g)].map(([, code]) => code),
  );
  const known = new Set([...compilerDiagnostics().map(({ code }) => code), ...Object.keys(otherCodes)]);
  t.same(
    [...new Set(spelled)].filter((code) => code === undefined || !known.has(code)),
    [],
  );
  t.same(
    [...known].filter((code) => !spelled.includes(code)),
    [],
    'and no code that none spells',
  );
  t.end();
});

for (const { code, severity } of compilerDiagnostics()) {
  const example = diagnosticExamples[code];
  if (example?.wrong === undefined || example.right === undefined) continue;
  const { wrong, right } = example;
  t.test(code, (t) => {
    const found = compileExample(wrong).diagnostics;
    t.ok(
      found.some((diagnostic) => diagnostic.code === code && diagnostic.severity === severity),
      `wrong: ${found.map(printLine).join('\n')}`,
    );
    t.same(compileExample(right).diagnostics.map(printLine), [], 'right');
    t.end();
  });
}

t.test('the manual is what `kro-graph diagnostics` prints', (t) => {
  t.equal(readFileSync(MANUAL, 'utf8'), diagnosticManual());
  t.end();
});
