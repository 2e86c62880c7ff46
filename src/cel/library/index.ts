import { conversions } from './conversions.ts';
import type { Library } from './declare.ts';
import { format } from './format.ts';
import { lists } from './lists.ts';
import { macros } from './macros.ts';
import { maps } from './maps.ts';
import { math } from './math.ts';
import { operators } from './operators.ts';
import { optionals } from './optionals.ts';
import { regex } from './regex.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';

/** The libraries of the standard environment, in the order of the manual. */
export const libraries: readonly Library[] = [operators, macros, conversions, optionals, strings, format, regex, lists, maps, math, sets];
