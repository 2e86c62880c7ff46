import type { Span } from './error.ts';

declare const packed: unique symbol;

/**
 * A span in one number. Trees and plans hold dozens of spans an expression, and only a mistake asks for one: as objects they were half of
 * what a tree takes.
 */
export type Stretch = number & { readonly [packed]: true };

/** The place of a start above that of an end. */
const START = 2 ** 16;
/** Offsets up to here fit: expressions have at most 16 KiB. */
export const MAX_OFFSET = START - 1;

/** From one offset to another, the end excluded. */
export function stretch(start: number, end: number): Stretch {
  return (start * START + end) as Stretch;
}

/** The stretch of a span. */
export function stretchOf({ start, end }: Span): Stretch {
  return stretch(start, end);
}

/** Where a stretch begins. */
export function startOf(place: Stretch): number {
  return Math.floor(place / START);
}

/** Where a stretch ends. */
export function endOf(place: Stretch): number {
  return place % START;
}

/** The span of a stretch. */
export function spanOf(place: Stretch): Span {
  return { start: startOf(place), end: endOf(place) };
}
