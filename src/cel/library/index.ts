import { conversions } from './conversions.ts';
import type { Library } from './declare.ts';
import { digest } from './digest.ts';
import { encoding } from './encoding.ts';
import { format } from './format.ts';
import { lists } from './lists.ts';
import { macros } from './macros.ts';
import { maps } from './maps.ts';
import { math } from './math.ts';
import { namedFormat } from './named-format.ts';
import { network } from './network.ts';
import { operators } from './operators.ts';
import { optionals } from './optionals.ts';
import { quantity } from './quantity.ts';
import { regex } from './regex.ts';
import { semver } from './semver.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';
import { time } from './time.ts';
import { url } from './url.ts';

/** The libraries of the standard environment, in the order of the manual. */
export const libraries: readonly Library[] = [
  operators,
  macros,
  conversions,
  optionals,
  strings,
  format,
  regex,
  lists,
  maps,
  math,
  sets,
  time,
  encoding,
  digest,
  network,
  url,
  quantity,
  semver,
  namedFormat,
];
