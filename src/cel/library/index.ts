import { conversions } from './conversions.ts';
import type { Library } from './declare.ts';
import { macros } from './macros.ts';
import { operators } from './operators.ts';
import { optionals } from './optionals.ts';

/** The libraries of the standard environment, in the order of the manual. */
export const libraries: readonly Library[] = [operators, macros, conversions, optionals];
