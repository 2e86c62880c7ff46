import type { Check } from './check.ts';
import { crossNamespaceTargets } from './cross-namespace.ts';
import { serviceAccountCheck } from './impersonation.ts';
import { missingServiceAccount } from './missing-service-account.ts';
import { permissions } from './permissions.ts';

/** What only today's cluster can say, by the name of its policy (operations.md 5). */
export const CHECKS = {
  missingServiceAccount,
  permissions,
  crossNamespace: crossNamespaceTargets,
  serviceAccountCheck,
} satisfies Record<string, Check>;

export type CheckName = keyof typeof CHECKS;
