import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import type { SourceValue } from '../payload.ts';
import type { Rule, RuleReport } from './rule.ts';

const notStandalone = defineDiagnostic({
  code: 'modifier/not-standalone',
  severity: 'error',
  message: ({ modifier, problem }: { modifier: string; problem: string }) =>
    `a value of ${modifier} must be exactly one expression; ${problem}`,
  hint: ({ problem }) => (problem === LINE_BREAK ? 'use the block scalar "|-" or ">-", which keeps no line break at the end' : undefined),
});

const LINE_BREAK = 'there is a line break after it';

/** Values of includeWhen, readyWhen and forEach are one expression each, with nothing around it (graph.md 2.4). */
export const standalone: Rule = {
  after: 'read',
  diagnostics: [notStandalone],
  node(node, report) {
    for (const value of node.includeWhen) judge('includeWhen', value, report);
    for (const value of node.readyWhen) judge('readyWhen', value, report);
    for (const { list, isSound } of node.forEach) if (list !== undefined && isSound) judge('forEach', list, report);
  },
};

function judge(modifier: string, { path, content }: SourceValue, report: RuleReport): void {
  if (content.kind === 'literal') report(notStandalone({ modifier, problem: 'this is plain text: write it as "${...}"' }, { path }));
  if (content.kind === 'text') report(notStandalone({ modifier, problem: describeParts(content.parts) }, { path }));
}

function describeParts(parts: readonly unknown[]): string {
  const expressions = parts.filter((part) => typeof part !== 'string').length;
  if (expressions > 1) return `there are ${expressions}`;
  const [first, second] = parts;
  if (typeof first !== 'string' && typeof second === 'string' && /^\r?\n$/.test(second)) return LINE_BREAK;
  const around = parts.filter((part) => typeof part === 'string').join('');
  return around.trim() === '' ? 'there is white space around it' : 'there is text around it';
}
