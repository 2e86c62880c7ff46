import type { FieldPath } from './path.ts';
import { PathTree } from './path-tree.ts';

/** Errors make a Graph invalid; warnings are told and change nothing. */
export type Severity = 'error' | 'warning';

/** A stretch of an expression: offsets in UTF-16 units, `end` exclusive, counted from the first character after `${`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a diagnostic points: a value in the Graph, and the stretch of the expression in it where there is one. */
export interface Place {
  readonly path: FieldPath;
  /** The expression's own text, without `${` and `}`. */
  readonly expression?: string;
  readonly span?: Span;
}

/** One mistake of an author, as a value (graph.md 2.6). Its text may quote the Graph, never a value of the cluster. */
export interface Diagnostic extends Place {
  /** `subject/fault`, stable once released. */
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong: found against expected; lower case, no full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** Other places that take part, such as the other holder of a name. */
  readonly related?: readonly Place[];
}

/** Takes a diagnostic; rules and stages are given one and never see each other's findings. */
export type Report = (diagnostic: Diagnostic) => void;

interface DiagnosticText<Parameters> {
  readonly code: string;
  readonly severity: Severity;
  readonly message: (parameters: Parameters) => string;
  readonly hint?: (parameters: Parameters) => string | undefined;
}

/** Makes the diagnostics of one code; `code` and `severity` can be read from it for the manual. */
export interface DiagnosticDefinition<Parameters> {
  (parameters: Parameters, place: Place, related?: readonly Place[]): Diagnostic;
  readonly code: string;
  readonly severity: Severity;
}

/** Declares a diagnostic: its code, severity, and its wording as functions of typed parameters. */
export function defineDiagnostic<Parameters>(text: DiagnosticText<Parameters>): DiagnosticDefinition<Parameters> {
  const make = (parameters: Parameters, place: Place, related?: readonly Place[]): Diagnostic => {
    const hint = text.hint?.(parameters);
    return {
      code: text.code,
      severity: text.severity,
      path: place.path,
      ...(place.expression === undefined ? {} : { expression: place.expression }),
      ...(place.span === undefined ? {} : { span: place.span }),
      message: oneLine(text.message(parameters)),
      ...(hint === undefined ? {} : { hint: oneLine(hint) }),
      ...(related === undefined || related.length === 0 ? {} : { related }),
    };
  };
  return Object.assign(make, { code: text.code, severity: text.severity });
}

/** A name that is quoted may hold a line break: it must not pass for a line of ours, nor steer a terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.charCodeAt(0);
    return character === '\n' ? '\\n' : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** Diagnostics in the order of the Graph: by path, then by position in the expression, then by code; each once. */
export function inPathOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const positions = new PathTree().positions(diagnostics.map(({ path }) => path));
  const sorted = diagnostics
    .map((diagnostic, at): Placed => ({ diagnostic, position: positions[at] ?? 0 }))
    .sort((a, b) => a.position - b.position || compareInPlace(a.diagnostic, b.diagnostic));
  const seen = new Set<string>();
  const result: Diagnostic[] = [];
  for (const { diagnostic, position } of sorted) {
    const identity = `${position}\n${diagnostic.code}\n${diagnostic.span?.start ?? ''}\n${diagnostic.message}`;
    if (seen.has(identity)) continue;
    seen.add(identity);
    result.push(diagnostic);
  }
  return result;
}

interface Placed {
  readonly diagnostic: Diagnostic;
  /** Of its path among all of them. */
  readonly position: number;
}

function compareInPlace(a: Diagnostic, b: Diagnostic): number {
  const byPosition = (a.span?.start ?? -1) - (b.span?.start ?? -1);
  if (byPosition !== 0) return byPosition;
  return a.code < b.code ? -1 : a.code > b.code ? 1 : 0;
}
