import type { KubeClient } from '../src/kube/client.ts';

/** A write that did not start, since this process may no longer be the leader. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The same client, whose writes start only while `mayWrite` says so (graph.md 8.5); reads and watches go on. */
export function gateWrites(client: KubeClient, mayWrite: () => boolean): KubeClient {
  const check = (): void => {
    if (!mayWrite()) throw new LeaseLost('the Lease is lost, or may be: no write starts');
  };
  const gated = <Rest extends readonly unknown[], T>(write: (...rest: Rest) => Promise<T>) => {
    return async (...rest: Rest): Promise<T> => {
      check();
      return write(...rest);
    };
  };
  return {
    ...client,
    as: (user) => gateWrites(client.as(user), mayWrite),
    create: gated(client.create),
    apply: gated(client.apply),
    patch: gated(client.patch),
    replace: gated(client.replace),
    updateStatus: gated(client.updateStatus),
    delete: gated(client.delete),
  };
}
