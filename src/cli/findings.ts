import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { printBlock } from '../diagnostic/print.ts';

/** One finding in a file. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  /** The diagnostic, where it is one of the compiler's. */
  readonly diagnostic?: Diagnostic;
}

/** A finding for people: `file:line:col: error CODE: text`, the field, the excerpt with a caret, the hint. */
export function printFinding({ file, line, column, severity, code, message, diagnostic }: Finding): string {
  const head = `${file}:${line}:${column}: ${severity} ${code}: ${message}`;
  if (diagnostic === undefined) return head;
  const [, ...excerpt] = printBlock(diagnostic).split('\n');
  return [head, `  at ${diagnostic.path.toString()}`, ...excerpt].join('\n');
}

/** A finding for machines. */
export function findingToJson({ diagnostic, ...finding }: Finding): Readonly<Record<string, unknown>> {
  if (diagnostic === undefined) return finding;
  const { path, expression, span, hint } = diagnostic;
  return {
    ...finding,
    path: path.toString(),
    ...(expression === undefined ? {} : { expression }),
    ...(span === undefined ? {} : { span }),
    ...(hint === undefined ? {} : { hint }),
  };
}
