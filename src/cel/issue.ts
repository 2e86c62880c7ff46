import type { Span } from './error.ts';

/** What kind of mistake an expression has. */
export type CelIssueKind = 'syntax' | 'undeclared' | 'field' | 'overload' | 'argument' | 'limit';

/** One mistake of an expression, found before it is evaluated. */
export interface CelIssue {
  readonly kind: CelIssueKind;
  /** What was found and what was expected. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** Where in the text of the expression. */
  readonly span: Span;
}

/** Mistakes are told in the order of the text, as cel-go tells them: that of a function's name stands before those of its arguments. */
export function byPlace(left: CelIssue, right: CelIssue): number {
  return left.span.start - right.span.start;
}

/** Stops the reading of an expression at its first syntax error; caught by `parse`. */
export class IssueError extends Error {
  readonly issue: CelIssue;
  constructor(issue: CelIssue) {
    super(issue.message);
    this.issue = issue;
  }
}

/** A syntax error to throw. */
export function syntaxError(message: string, span: Span, hint?: string): IssueError {
  return new IssueError({ kind: 'syntax', message, span: plain(span), ...(hint === undefined ? {} : { hint }) });
}

/** A limit error to throw. */
export function limitError(message: string, span: Span, hint?: string): IssueError {
  return new IssueError({ kind: 'limit', message, span: plain(span), ...(hint === undefined ? {} : { hint }) });
}

/** Tokens and nodes are spans, too: of them only the offsets are kept. */
function plain({ start, end }: Span): Span {
  return { start, end };
}
