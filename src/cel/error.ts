/** A range of the expression's text: offsets in UTF-16 units, the end excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * What an evaluation error is about:
 * - `missing` no such key, field, variable or index: data that is not there yet, so that a Graph waits
 * - `divide` division or modulus by zero
 * - `overflow` a number, timestamp or duration out of range
 * - `overload` a dyn value of the wrong type
 * - `conversion` text, JSON, bytes or a number that is not what it is converted to
 * - `optional` the value of an optional that has none
 * - `duplicate` a map entry built twice
 * - `argument` any other bad argument
 * - `limit` more work or output than allowed
 */
export type EvaluationCode =
  | 'missing'
  | 'divide'
  | 'overflow'
  | 'overload'
  | 'conversion'
  | 'optional'
  | 'duplicate'
  | 'argument'
  | 'limit';

/**
 * Why an expression has no value. The message never holds a value of the input, which may be a Secret's: only types, names that
 * the expression itself spells, and constants. Libraries throw `fail(...)`; the planner adds the span of the call.
 */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
  readonly code: EvaluationCode;
  /** Where in the expression; the planner fills it in for what a library throws. */
  span: Span | undefined;
  /** The key that is missing, where the expression computed it. It is data: for the author at a shell, never for a log or a status. */
  key: unknown;

  constructor(code: EvaluationCode, message: string, span?: Span) {
    super(message);
    this.code = code;
    this.span = span;
  }

  /** The data is not there yet: the Graph waits instead of failing. */
  get absent(): boolean {
    return this.code === 'missing';
  }
}

/** The error to throw from a library: `throw fail('conversion', 'not a quantity')`. Never put an argument's value in the text. */
export function fail(code: EvaluationCode, message: string): EvaluationError {
  return new EvaluationError(code, message);
}
