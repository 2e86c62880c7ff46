import type { Diagnostic } from '../src/diagnostic/diagnostic.ts';

/** What the webhook says to one request (graph.md 14): `errors` deny it, `warnings` are told and change nothing. */
export type Verdict =
  | { readonly word: 'allowed'; readonly warnings: readonly Diagnostic[] }
  /** The Graph cannot be valid, or breaks a policy set to deny. */
  | { readonly word: 'denied'; readonly errors: readonly Diagnostic[]; readonly warnings: readonly Diagnostic[] }
  /** There is no verdict in time, and the policy is to deny then; the same request may pass later. */
  | { readonly word: 'undecided'; readonly why: Diagnostic; readonly isLate: boolean };

/** The verdict on what needs no judging. */
export const ALLOWED: Verdict = { word: 'allowed', warnings: [] };
