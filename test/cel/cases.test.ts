import { readdirSync } from 'node:fs';
import { test } from 'tap';
import type { Value } from '../../src/cel/value.ts';
import { type CelCase, evaluateCase } from '../../src/cli/cel-case.ts';
import type { RawSchema } from '../../src/schema/openapi.ts';
import { compareCase, type GoldenCase, readExactYaml } from '../support/cel-cases.ts';

const directory = new URL('../cases/cel/', import.meta.url);
const variables = readExactYaml(new URL('vars.yaml', directory)) as Readonly<
  Record<string, { schema?: RawSchema; value?: Value } | undefined>
>;

/** The results of the real engine: see test/cases/cel/README.md. */
for (const file of readdirSync(directory).sort()) {
  if (!file.endsWith('.yaml') || file === 'vars.yaml' || file === 'functions.yaml') continue;
  test(`the golden cases of ${file} give what cel-go gives`, async (t) => {
    const { cases } = readExactYaml(new URL(file, directory)) as { cases: readonly GoldenCase[] };
    const failed = cases.flatMap((each) => {
      const vars: CelCase['vars'] = new Map(
        (each.use ?? []).map((name) => [name, { schema: variables[name]?.schema, value: variables[name]?.value }]),
      );
      const problem = compareCase(each, evaluateCase({ id: each.id, expr: each.expr, vars }));
      return problem === undefined ? [] : [{ id: each.id, expr: each.expr, problem }];
    });
    t.strictSame(failed, []);
  });
}
