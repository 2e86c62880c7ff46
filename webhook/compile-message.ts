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

/** A diagnostic as it crosses the threads: a path is its segments. */
interface WireDiagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly place: WirePlace;
  readonly related?: readonly WirePlace[];
}

interface WirePlace {
  readonly segments: readonly (string | number)[];
  readonly expression?: string;
  readonly span?: Span;
}

/** What a compilation found, as bytes that are handed over and not copied. */
export function packReport(diagnostics: readonly Diagnostic[]): ArrayBuffer {
  const bytes = Buffer.from(JSON.stringify(diagnostics.map(toWire)));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

/** The other side of `packReport`. */
export function unpackReport(report: ArrayBuffer): Diagnostic[] {
  return (JSON.parse(Buffer.from(report).toString('utf8')) as WireDiagnostic[]).map(fromWire);
}

function toWire({ code, severity, message, hint, related, ...place }: Diagnostic): WireDiagnostic {
  return {
    code,
    severity,
    message,
    ...(hint === undefined ? {} : { hint }),
    place: toWirePlace(place),
    ...(related === undefined ? {} : { related: related.map(toWirePlace) }),
  };
}

function toWirePlace({ path, ...rest }: Place): WirePlace {
  return { ...rest, segments: path.segments() };
}

function fromWire({ place, related, ...rest }: WireDiagnostic): Diagnostic {
  return { ...rest, ...fromWirePlace(place), ...(related === undefined ? {} : { related: related.map(fromWirePlace) }) };
}

function fromWirePlace({ segments, ...rest }: WirePlace): Place {
  return { ...rest, path: FieldPath.of(...segments) };
}
