import type { Test } from 'tap';
import { parse } from 'yaml';
import { type Compiled, compile } from '../../src/compiler/compile.ts';
import type { CompileLimits } from '../../src/compiler/limits.ts';
import type { Program } from '../../src/compiler/program.ts';
import { printLine } from '../../src/diagnostic/print.ts';
import type { SchemaSnapshot } from '../../src/schema/snapshot.ts';
import { testSnapshot } from './schemas.ts';

/** What a test says of one diagnostic: its code, its path, and the stretch of the expression that it points to. */
export type Finding = readonly [code: string, path: string, marked?: string];

/** How a Graph of a test is compiled. */
export interface CompileOptions {
  readonly schemas?: SchemaSnapshot;
  readonly limits?: CompileLimits;
}

/** Compiles the nodes of a Graph named `g` in namespace `default`, written as the YAML of `spec.nodes`. */
export function compileNodes(nodes: string, { schemas = testSnapshot(), limits }: CompileOptions = {}): Compiled {
  const graph = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'Graph',
    metadata: { name: 'g', namespace: 'default' },
    spec: { nodes: parse(nodes) },
  };
  return compile({ graph, schemas, ...(limits === undefined ? {} : { limits }) });
}

/** Asserts that compiling gives exactly these findings, in this order, errors and warnings alike. */
export function expectFindings(t: Test, nodes: string, expected: readonly Finding[], options: CompileOptions = {}): void {
  const { diagnostics } = compileNodes(nodes, options);
  const found = diagnostics.map(({ code, path, expression, span }): Finding => {
    const marked = span === undefined ? undefined : expression?.slice(span.start, span.end);
    return marked === undefined ? [code, path.toString()] : [code, path.toString(), marked];
  });
  t.same(found, expected, diagnostics.map(printLine).join('\n'));
}

/** Asserts that compiling gives a Program and no finding. */
export function expectValid(t: Test, nodes: string, options: CompileOptions = {}): void {
  expectFindings(t, nodes, [], options);
}

/** The Program of a Graph that is known to be valid. */
export function programOf(nodes: string, options: CompileOptions = {}): Program {
  const { program, diagnostics } = compileNodes(nodes, options);
  if (program === undefined) throw new Error(diagnostics.map(printLine).join('\n'));
  return program;
}

/** A row of a table of Graphs: what holds, the nodes as YAML, and everything that must be found (nothing: the Graph is valid). */
export type GraphRow = readonly [title: string, nodes: string, ...expected: readonly Finding[]];

/** Runs a table of Graphs, each row a test. */
export function testGraphs(t: Test, rows: readonly GraphRow[], options: CompileOptions = {}): void {
  for (const [title, nodes, ...expected] of rows) {
    t.test(title, (t) => {
      expectFindings(t, nodes, expected, options);
      t.end();
    });
  }
}
