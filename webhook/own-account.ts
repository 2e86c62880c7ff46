import type { KubeClient } from '../src/kube/client.ts';
import { whoAmI } from '../src/kube/identity.ts';
import type { ReleaseAccount } from './admit.ts';

const ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;
const ACCOUNT_OPTION = /^([a-z0-9][a-z0-9.-]*)\/([a-z0-9][a-z0-9.-]*)$/;

/** The ServiceAccount that this process is; undefined when it is a person or another user. */
export async function ownAccount(client: KubeClient, signal: AbortSignal): Promise<ReleaseAccount | undefined> {
  const [, namespace, name] = ACCOUNT.exec((await whoAmI(client, { signal })).user) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** `NAMESPACE/NAME` as `--controller-service-account` takes it; undefined when it is something else. */
export function readAccount(text: string): ReleaseAccount | undefined {
  const [, namespace, name] = ACCOUNT_OPTION.exec(text) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}
