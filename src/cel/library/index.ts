import type { Library } from './declare.ts';

/** The libraries of the standard environment, in the order of the manual. */
export const libraries: readonly Library[] = [];
