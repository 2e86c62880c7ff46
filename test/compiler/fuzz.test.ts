import fc from 'fast-check';
import t from 'tap';
import { parse as parseExpression } from '../../src/cel/parse.ts';
import { compile } from '../../src/compiler/compile.ts';
import { scan } from '../../src/compiler/scan.ts';
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { applyMutation, caseGraphs as graphs, mutation, RUNS, SEED, soup } from '../support/mutate.ts';
import { testSnapshot } from '../support/schemas.ts';

t.setTimeout(600_000);

t.test('any text is scanned and parsed, or a mistake in it is pointed to', (t) => {
  fc.assert(
    fc.property(
      fc.oneof(
        soup,
        soup.map((text) => `\${${text}}`),
        fc.string(),
      ),
      (text) => {
        const scanned = scan(text);
        if (scanned.kind === 'broken') return isWithin(scanned.fault.span, scanned.fault.text);
        const parts = scanned.kind === 'standalone' ? [scanned.expression] : scanned.kind === 'text' ? scanned.parts : [];
        return parts.every((part) => {
          if (typeof part === 'string') return text.includes(part);
          if (text.slice(part.offset, part.offset + part.text.length) !== part.text) return false;
          const parsed = parseExpression(part.text);
          return parsed.issues === undefined || parsed.issues.every((issue) => isWithin(issue.span, part.text));
        });
      },
    ),
    { numRuns: RUNS, seed: SEED },
  );
  t.pass(`${RUNS} texts`);
  t.end();
});

t.test('any change of a Graph gives a Program, or mistakes at places that exist', (t) => {
  const schemas = testSnapshot();
  fc.assert(
    fc.property(fc.constantFrom(...graphs), fc.array(mutation(), { minLength: 1, maxLength: 4 }), (graph, mutations) => {
      const mutated = mutations.reduce(applyMutation, structuredClone(graph));
      const { program, diagnostics } = compile({ graph: mutated, schemas });
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      if ((program === undefined) !== errors.length > 0) return false;
      return diagnostics.every((diagnostic) => existsIn(mutated, diagnostic));
    }),
    { numRuns: RUNS, seed: SEED },
  );
  t.pass(`${RUNS} Graphs`);
  t.end();
});

t.test('compiling is deterministic', (t) => {
  const schemas = testSnapshot();
  for (const graph of graphs)
    t.same(compile({ graph, schemas }).diagnostics, compile({ graph: structuredClone(graph), schemas }).diagnostics);
  t.end();
});

/** Whether the path of a diagnostic leads to a value; its last field may be one that is missing there. */
function existsIn(graph: unknown, { path, expression, span }: Diagnostic): boolean {
  if (span !== undefined && (expression === undefined || !isWithin(span, expression))) return false;
  let at = graph;
  for (const segment of path.segments().slice(0, -1)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, segment)) return false;
    at = (at as Record<string | number, unknown>)[segment];
  }
  return true;
}

function isWithin({ start, end }: { readonly start: number; readonly end: number }, text: string): boolean {
  return start >= 0 && start <= end && end <= Math.max(text.length, start + 1);
}
