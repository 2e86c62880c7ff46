/** What a compilation may spend, and what it holds a Graph to; the same for both doors, so that both give the same answer. */
export interface CompileLimits {
  /** The most items of one collection (graph.md 5). */
  readonly collectionSize: number;
  /** Steps of the whole compilation, a deterministic count; beyond it the compile ends with `limit/compile` (graph.md 14.6). */
  readonly steps: number;
  /** Characters of one expression (graph.md 15). */
  readonly expressionLength: number;
}

/** The limits of a release. */
export const DEFAULT_LIMITS: CompileLimits = {
  collectionSize: 1000,
  steps: 20_000_000,
  expressionLength: 16 * 1024,
};
