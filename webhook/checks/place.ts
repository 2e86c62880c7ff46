import type { Place } from '../../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../../src/diagnostic/path.ts';

/** Where a Graph names the account that it acts as. */
export const ACCOUNT_PLACE: Place = { path: FieldPath.of('spec', 'serviceAccountName') };
