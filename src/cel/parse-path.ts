import type { Ast } from './ast.ts';
import { isReservedName } from './prepare.ts';
import { endOf, MAX_OFFSET, stretch } from './stretch.ts';

/** Longer paths are for the parser, which knows how deep they may go. */
const MOST_NAMES = 100;
const PATH = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;

/**
 * Reads an expression that is a plain path, `pod.metadata.name`: two of three in real Graphs are, and this takes a tenth of the parser's
 * time. Gives what the parser would; undefined for everything else, also for what is wrong.
 */
export function parsePath(source: string): Ast | undefined {
  if (source.length > MAX_OFFSET || !PATH.test(source)) return undefined;
  const names = source.split('.');
  if (names.length > MOST_NAMES || names.some(isReservedName)) return undefined;
  let ast: Ast | undefined;
  let start = 0;
  for (const name of names) {
    const span = stretch(start, start + name.length);
    ast =
      ast === undefined
        ? { kind: 'identifier', name, absolute: false, span }
        : { kind: 'select', operand: ast, field: name, optional: false, fieldSpan: span, span: stretch(0, endOf(span)) };
    start = endOf(span) + 1;
  }
  return ast;
}
