import fc from 'fast-check';
import t from 'tap';
import { compile } from '../../src/compiler/compile.ts';
import { applyMutation, caseGraphs, mutation, RUNS, SEED } from '../support/mutate.ts';
import { testSnapshot } from '../support/schemas.ts';
import { traceProgram } from './runtime.ts';

t.setTimeout(600_000);

t.test('any Program renders, or says why not', (t) => {
  const schemas = testSnapshot();
  let programs = 0;
  fc.assert(
    fc.property(fc.constantFrom(...caseGraphs), fc.array(mutation(), { maxLength: 2 }), (graph, mutations) => {
      const { program } = compile({ graph: mutations.reduce(applyMutation, structuredClone(graph)), schemas });
      if (program === undefined) return;
      programs++;
      traceProgram(program);
    }),
    { numRuns: RUNS, seed: SEED },
  );
  t.ok(programs > RUNS / 10, `${programs} Programs`);
  t.end();
});
