import type { KubeClient } from '../../src/kube/client.ts';

/** A client of which a test implements what it needs; any other call is a failure that names it. */
export function stubClient(calls: Partial<KubeClient>): KubeClient {
  return new Proxy(calls, {
    get: (target, name) => {
      if (name in target) return Reflect.get(target, name);
      throw new Error(`the test does not expect client.${String(name)}`);
    },
  }) as KubeClient;
}
