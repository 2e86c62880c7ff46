import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { Budget } from '../../src/cel/budget.ts';
import { check } from '../../src/cel/check.ts';
import { Environment } from '../../src/cel/environment.ts';
import { equals } from '../../src/cel/equality.ts';
import { EvaluationError } from '../../src/cel/error.ts';
import type { Example } from '../../src/cel/library/declare.ts';
import { libraries } from '../../src/cel/library/index.ts';
import { parseSignature } from '../../src/cel/library/signature.ts';
import { macroNames } from '../../src/cel/macro.ts';
import { parse } from '../../src/cel/parse.ts';
import { plan } from '../../src/cel/plan.ts';
import type { Value } from '../../src/cel/value.ts';
import { functionManual } from '../../src/cli/commands/functions.ts';
import { readExactYaml } from '../support/cel-cases.ts';

/** The value of an expression, or the code of its error. */
function evaluate(expression: string): { readonly value: Value } | { readonly error: string } {
  const { ast, issues } = parse(expression);
  if (ast === undefined) return { error: JSON.stringify(issues) };
  const result = check(ast, Environment.standard());
  if (result.checked === undefined) return { error: JSON.stringify(result.issues) };
  try {
    return { value: plan(result.checked)(() => undefined, new Budget()) };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { error: error.code };
  }
}

function problemOf([expression, expected]: Example): string | undefined {
  const found = evaluate(expression);
  if (typeof expected !== 'string')
    return 'error' in found && found.error === expected.error ? undefined : `${expression}: ${JSON.stringify(found)}`;
  const wanted = evaluate(expected);
  if ('error' in found || 'error' in wanted) return `${expression}: ${JSON.stringify([found, wanted])}`;
  return equals(found.value, wanted.value) ? undefined : `${expression} is not ${expected}`;
}

for (const library of libraries) {
  test(`the examples of ${library.name} give what they say`, async (t) => {
    const examples = [...library.functions, ...(library.macros ?? [])].flatMap((declared) => declared.examples);
    t.strictSame(
      examples.map(problemOf).filter((problem) => problem !== undefined),
      [],
    );
  });
}

interface Listed {
  readonly functions: readonly { readonly name: string; readonly overloads: readonly string[] }[];
  readonly macros: readonly { readonly name: string }[];
}

test('every function and overload of the real engine is here', async (t) => {
  const listed = readExactYaml(new URL('../cases/cel/functions.yaml', import.meta.url)) as Listed;
  const environment = Environment.standard();
  const missing = listed.functions.flatMap(({ name, overloads }) => {
    // These are no functions here: the planner evaluates them lazily.
    if (['_&&_', '_||_', '_?_:_'].includes(name)) return [];
    const declared = environment.functionNamed(name)?.overloads.map((overload) => shape(overload.signature.text)) ?? [];
    // cel-go declares comparisons across number types, too, but its checker does not use them: dyn values only are compared so.
    if (/^_[<>]=?_$/.test(name)) return [];
    return overloads.filter((overload) => !declared.includes(shape(parseSignature(overload.replace(/<A>/, 'A')).text)));
  });
  t.strictSame(missing, []);
  const macros = macroNames.map((name) => name.split('.').at(-1));
  t.strictSame(
    listed.macros.filter(({ name }) => !macros.includes(name)),
    [],
  );
});

/** A signature with its type parameters numbered in order, so that their names do not matter. */
function shape(text: string): string {
  const names: string[] = [];
  return text.replace(/\b[A-Z]\b/g, (name) => {
    if (!names.includes(name)) names.push(name);
    return `T${names.indexOf(name)}`;
  });
}

test('the manual lists every function and is current', async (t) => {
  const manual = readFileSync(new URL('../../docs/functions.md', import.meta.url), 'utf8');
  t.equal(manual, functionManual(), 'run: node src/cli/main.ts functions > docs/functions.md');
});

test('every overload is declared once', async (t) => {
  const shapes = libraries
    .flatMap((library) => library.functions)
    .flatMap(({ name, overloads }) => overloads.map(({ signature }) => `${name}: ${shape(signature.text)}`));
  t.strictSame(
    shapes.filter((text, at) => shapes.indexOf(text) !== at),
    [],
  );
});

test('every function has a line of documentation and an example', async (t) => {
  const bare = libraries
    .flatMap((library) => library.functions)
    .filter(
      (declared) =>
        declared.shownAs === undefined && (declared.doc === '' || (declared.examples.length === 0 && !declared.name.startsWith('_'))),
    );
  t.strictSame(
    bare.map((declared) => declared.name),
    [],
  );
});
