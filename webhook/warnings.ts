import type { Diagnostic } from '../src/diagnostic/diagnostic.ts';
import { inPathOrder } from '../src/diagnostic/diagnostic.ts';

/** Longer ones are cut by the API server's clients, in the middle of a word (graph.md 14.2). */
export const LONGEST_WARNING = 120;

/** Of the warning that tells, on dry run, what a Graph would do (graph.md 14.6). */
export const PLAN_CODE = 'plan';

/** The API server drops what goes beyond 4096 characters, and tells nobody. */
const MOST_CHARACTERS = 4000;

/**
 * Warnings as kubectl prints them, one a line: `code: what is wrong (where)`, each of at most 120 characters (graph.md 14.2). When they
 * are more than the API server passes on, the last line says how many are left out.
 */
export function printWarnings(warnings: readonly Diagnostic[]): string[] {
  const ordered = inPathOrder(warnings);
  const room = MOST_CHARACTERS - LONGEST_WARNING;
  const lines: string[] = [];
  let characters = 0;
  for (const warning of ordered) {
    const line = printWarning(warning);
    characters += line.length;
    if (characters > room) return [...lines, `limit/warnings: ${ordered.length - lines.length} more warnings are not shown`];
    lines.push(line);
  }
  return lines;
}

/** One warning; the place is shortened to its node, then left out, before the message is cut. */
export function printWarning(diagnostic: Diagnostic): string {
  const text = oneLine(`${diagnostic.code}: ${diagnostic.message}`);
  for (const place of places(diagnostic)) {
    const line = place === '' ? text : `${text} (${oneLine(place)})`;
    if (length(line) <= LONGEST_WARNING) return line;
  }
  return cut(text, LONGEST_WARNING);
}

/** The place, from exact to coarse: the field, the node, nothing. */
function places(diagnostic: Diagnostic): string[] {
  const full = diagnostic.path.toString();
  let node = diagnostic.path;
  while (node.parent !== undefined && typeof node.segment !== 'number') node = node.parent;
  return [full, node.toString(), ''];
}

/** A header holds no control characters. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').toWellFormed();
}

function length(text: string): number {
  return [...text].length;
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
