import { defineDiagnostic } from '../../src/diagnostic/diagnostic.ts';
import type { Check } from './check.ts';
import { ACCOUNT_PLACE } from './place.ts';

const missing = defineDiagnostic({
  code: 'service-account/missing',
  severity: 'warning',
  message: ({ account }: { account: string }) => `the ServiceAccount "${account}" does not exist (yet)`,
  hint: () => 'nothing is applied until it does',
});

/** Does the ServiceAccount that the Graph acts as exist? */
export const missingServiceAccount: Check = {
  topic: 'whether the ServiceAccount exists',
  isOfAccount: true,
  async run({ namespace, account }, cluster, signal) {
    if (await cluster.accountExists(namespace, account, signal)) return [];
    return [missing({ account }, ACCOUNT_PLACE)];
  },
};
