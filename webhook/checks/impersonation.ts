import { defineDiagnostic } from '../../src/diagnostic/diagnostic.ts';
import { mayImpersonate } from './account.ts';
import type { Check } from './check.ts';
import { ACCOUNT_PLACE } from './place.ts';

const impersonation = defineDiagnostic({
  code: 'service-account/not-yours',
  severity: 'warning',
  message: ({ account }: { account: string }) => `you may not act as the ServiceAccount "${account}", as this Graph would`,
  hint: ({ account }) => `it takes the right to impersonate serviceaccounts "${account}", or choose another serviceAccountName`,
});

/** May the requester impersonate the ServiceAccount that the Graph acts as? Who may write a Graph else gains its rights (operations.md 4). */
export const serviceAccountCheck: Check = {
  topic: 'whether you may act as the ServiceAccount',
  isOfAccount: true,
  async run(subject, cluster, signal) {
    if (await mayImpersonate(subject, cluster, signal)) return [];
    return [impersonation({ account: subject.account }, ACCOUNT_PLACE)];
  },
};
