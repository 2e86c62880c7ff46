import type { CompileLimits } from '../src/compiler/limits.ts';
import type { Diagnostic, Place, Severity, Span } from '../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../src/diagnostic/path.ts';
import type { PlanSteps } from './plan.ts';

/** One part of a cluster's schemas, in memory that all threads share; a thread is sent each part once. */
export interface SchemaPart {
  /** Equal only for equal bytes. */
  readonly hash: string;
  readonly bytes: SharedArrayBuffer;
}

/** One compilation, as the main thread sends it: the review's bytes, and the parts that this thread has not seen. */
export interface CompileMessage {
  readonly word: 'compile';
  readonly id: number;
  /** The AdmissionReview as it came: it is parsed again in the thread, which is cheaper than to clone it, and knows no depth. */
  readonly review: ArrayBuffer;
  readonly parts: readonly string[];
  readonly newParts: readonly SchemaPart[];
  readonly limits: CompileLimits;
  readonly planSteps: PlanSteps;
}

/** What a thread says: first that it has loaded the compiler, then one answer for each message. */
export type ThreadMessage =
  | { readonly word: 'ready' }
  | { readonly word: 'compiled'; readonly id: number; readonly report: ArrayBuffer }
  /** Our own bug: the compiler threw. */
  | { readonly word: 'failed'; readonly id: number; readonly stack: string };

/** Diagnostics as they cross the threads: what many of them share, the ways to their places and the expressions, is told once. */
interface WireReport {
  /** Each path as the index of the one around it, counted from 1, and its last segment; 0 is the root. */
  readonly paths: (readonly [around: number, segment: string | number])[];
  readonly expressions: string[];
  readonly diagnostics: readonly WireDiagnostic[];
}

interface WireDiagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly place: WirePlace;
  readonly related?: readonly WirePlace[];
}

interface WirePlace {
  readonly path: number;
  readonly expression?: number;
  readonly span?: Span;
}

/** What a compilation found, as bytes that are handed over and not copied. */
export function packReport(diagnostics: readonly Diagnostic[]): ArrayBuffer {
  const bytes = Buffer.from(JSON.stringify(new Packing().pack(diagnostics)));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

class Packing {
  readonly #paths: [number, string | number][] = [];
  readonly #pathIndexes = new Map<FieldPath, number>();
  readonly #expressionIndexes = new Map<string, number>();

  pack(diagnostics: readonly Diagnostic[]): WireReport {
    const packed = diagnostics.map(({ code, severity, message, hint, related, ...place }) => ({
      ...{ code, severity, message },
      ...(hint === undefined ? {} : { hint }),
      place: this.#place(place),
      ...(related === undefined ? {} : { related: related.map((each) => this.#place(each)) }),
    }));
    return { paths: this.#paths, expressions: [...this.#expressionIndexes.keys()], diagnostics: packed };
  }

  #place({ path, expression, span }: Place): WirePlace {
    return {
      path: this.#path(path),
      ...(expression === undefined ? {} : { expression: this.#expression(expression) }),
      ...(span === undefined ? {} : { span }),
    };
  }

  #expression(text: string): number {
    const index = this.#expressionIndexes.get(text) ?? this.#expressionIndexes.size;
    this.#expressionIndexes.set(text, index);
    return index;
  }

  #path(path: FieldPath): number {
    const fresh: FieldPath[] = [];
    let at = path;
    for (; at.parent !== undefined && !this.#pathIndexes.has(at); at = at.parent) fresh.push(at);
    let index = this.#pathIndexes.get(at) ?? 0;
    for (let next = fresh.pop(); next !== undefined; next = fresh.pop()) {
      index = this.#paths.push([index, next.segment]);
      this.#pathIndexes.set(next, index);
    }
    return index;
  }
}

/** The other side of `packReport`. */
export function unpackReport(report: ArrayBuffer): Diagnostic[] {
  const { paths, expressions, diagnostics } = JSON.parse(Buffer.from(report).toString('utf8')) as WireReport;
  const known: FieldPath[] = [FieldPath.root];
  for (const [around, segment] of paths) {
    const path = known[around] ?? FieldPath.root;
    known.push(typeof segment === 'number' ? path.index(segment) : path.field(segment));
  }
  const placeOf = ({ path, expression, ...rest }: WirePlace): Place => ({
    path: known[path] ?? FieldPath.root,
    ...(expression === undefined ? {} : { expression: expressions[expression] ?? '' }),
    ...rest,
  });
  return diagnostics.map(({ place, related, ...rest }) => ({
    ...rest,
    ...placeOf(place),
    ...(related === undefined ? {} : { related: related.map(placeOf) }),
  }));
}
