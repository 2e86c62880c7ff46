import type { Diagnostic } from './diagnostic.ts';

/** What is wrong and what to do, without the place: the text of one cause of an admission denial. */
export function printMessage(diagnostic: Diagnostic): string {
  const where = diagnostic.expression === undefined ? '' : ` in \${${firstLine(diagnostic.expression)}}${position(diagnostic)}`;
  const hint = diagnostic.hint === undefined ? '' : ` (${diagnostic.hint})`;
  return `${diagnostic.message}${where}${hint}`;
}

/** A diagnostic as one line: `spec.nodes[0].id: message (hint) [code]`. */
export function printLine(diagnostic: Diagnostic): string {
  return `${diagnostic.path}: ${printMessage(diagnostic)} [${diagnostic.code}]`;
}

/** A diagnostic as a block: the line, then the expression with a caret under the stretch that is meant. */
export function printBlock(diagnostic: Diagnostic): string {
  const { expression, span } = diagnostic;
  const hint = diagnostic.hint === undefined ? '' : `\n  hint: ${diagnostic.hint}`;
  const head = `${diagnostic.path}: ${diagnostic.message} [${diagnostic.code}]`;
  if (expression === undefined) return head + hint;
  if (span === undefined) return `${head}\n  | ${expression.split('\n').join('\n  | ')}${hint}`;
  const lineStart = expression.lastIndexOf('\n', Math.max(0, span.start - 1)) + 1;
  const nextBreak = expression.indexOf('\n', span.start);
  const line = expression.slice(lineStart, nextBreak === -1 ? undefined : nextBreak);
  const width = Math.max(1, Math.min(span.end, lineStart + line.length) - span.start);
  return `${head}\n  | ${line}\n  | ${' '.repeat(span.start - lineStart)}${'^'.repeat(width)}${hint}`;
}

const LONGEST_EXCERPT = 120;

function firstLine(expression: string): string {
  const line = expression.trim().split('\n', 1)[0] ?? '';
  return line.length > LONGEST_EXCERPT || line !== expression.trim() ? `${line.slice(0, LONGEST_EXCERPT)}…` : line;
}

function position(diagnostic: Diagnostic): string {
  return diagnostic.span === undefined ? '' : ` at ${diagnostic.span.start + 1}`;
}
