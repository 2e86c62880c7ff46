import type { KubeClient } from '../../src/kube/client.ts';
import { stub } from './stub.ts';

/** A client of which a test implements what it needs; any other call is a failure that names it. */
export function stubClient(calls: Partial<KubeClient>): KubeClient {
  return stub('client', calls);
}
