import { createServer, connect as open, type Socket } from 'node:net';
import type { Test } from 'tap';
import type { RunningPod } from './run-pod.ts';

const SYNC_MILLISECONDS = 1000;

/** What a Service does, on this machine: new connections go to Pods that were ready when it last looked, in turn. */
export interface LocalService {
  /** Pods behind it from now on; one that has ended is not ready. */
  readonly add: (pod: RunningPod) => Promise<void>;
}

/** Listens on the port of `webhook.url`. Like kube-proxy it knows connections only, and learns of readiness with a delay. */
export async function startService(t: Pick<Test, 'teardown'>, port: number): Promise<LocalService> {
  const pods: RunningPod[] = [];
  let ready: readonly RunningPod[] = [];
  let turn = 0;
  const sync = async (): Promise<void> => {
    const answers = await Promise.all(
      pods.map((pod) =>
        fetch(`${pod.probes}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    ready = pods.filter((_, index) => answers[index]);
  };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    turn += 1;
    const pod = ready[turn % ready.length];
    if (pod === undefined) {
      client.destroy();
      return;
    }
    const upstream = open({ host: '127.0.0.1', port: Number(pod.port) });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const timer = setInterval(() => void sync(), SYNC_MILLISECONDS);
  t.teardown(() => {
    clearInterval(timer);
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    add: async (pod) => {
      pods.push(pod);
      await sync();
    },
  };
}
