import { conditionType } from './condition-type.ts';
import { forEachDimensions } from './for-each-dimensions.ts';
import { forEachLimit } from './for-each-limit.ts';
import { idFormat } from './id-format.ts';
import { idReserved } from './id-reserved.ts';
import { idUnique } from './id-unique.ts';
import { includeWhenSelf } from './include-when-self.ts';
import { iteratorIdentity } from './iterator-identity.ts';
import { iteratorNames } from './iterator-names.ts';
import { kindServed } from './kind-served.ts';
import { metadataFormat } from './metadata-format.ts';
import { modifiers } from './modifiers.ts';
import { omitPosition } from './omit-position.ts';
import { ownIdentity } from './own-identity.ts';
import { readyWhenScope } from './ready-when-scope.ts';
import type { Rule } from './rule.ts';
import { sameIdentityRule } from './same-identity.ts';
import { standalone } from './standalone.ts';

/** The rules, in the order that reads best; their order does not matter to their findings. */
export const rules: readonly Rule[] = [
  idFormat,
  idReserved,
  idUnique,
  modifiers,
  standalone,
  forEachDimensions,
  iteratorNames,
  includeWhenSelf,
  readyWhenScope,
  omitPosition,
  conditionType,
  forEachLimit,
  iteratorIdentity,
  kindServed,
  metadataFormat,
  ownIdentity,
  sameIdentityRule,
];
