import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, SeenRequest } from '../support/proxy.ts';
import { isWrite, nameIn, type Process } from './lane.ts';

/**
 * When a controller dies. `unanswered`: its n-th write was carried out, and it never heard so. `answered`: it has heard so. `overtaken`: the
 * n-th write never arrived, while all that it sent at the same time did. `late`: like that, but the write arrives after the next controller's.
 */
export type Death = 'unanswered' | 'answered' | 'overtaken' | 'late';

/** A controller that will die at its n-th write. */
export interface Trap {
  /** Resolves when it is dead. */
  readonly killed: Promise<void>;
  /** Whether the n-th write has come: then it will be dead. */
  readonly isSprung: () => boolean;
  /** How many writes have arrived. */
  readonly writes: () => number;
  /** The write that was held back is carried out now. */
  readonly release: () => void;
  readonly disarm: () => void;
}

/** So long nothing is sent by a controller that waits for an answer. */
const QUIET_MILLISECONDS = 150;

/** Waits for the n-th write about objects whose names begin with `prefix`. */
export function setTrap(controller: Process, { death, at, prefix }: { death: Death; at: number; prefix: string }): Trap {
  const { proxy } = controller;
  const { promise: killed, resolve } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const passed: SeenRequest[] = [];
  let writes = 0;
  let isSprung = false;

  const spring = async (fatal: SeenRequest): Promise<void> => {
    if (death === 'answered' || death === 'unanswered') await untilAnswered([fatal]);
    else await untilQuiet();
    await controller.kill();
    // What has left the dead process is carried out before anybody looks.
    await untilAnswered(passed);
    resolve();
  };
  const untilQuiet = async (): Promise<void> => {
    for (let before = -1; before !== writes; ) {
      before = writes;
      await sleep(QUIET_MILLISECONDS);
      await untilAnswered(passed);
    }
  };
  proxy.onRequest((request): Fault | undefined => {
    if (!isWrite(request) || !nameIn(request.path).startsWith(prefix)) return undefined;
    writes += 1;
    const isFatal = writes === at;
    if (isFatal) {
      isSprung = true;
      void spring(request);
    }
    if (!isSprung || (isFatal && death === 'answered')) {
      passed.push(request);
      return undefined;
    }
    if (isFatal && death === 'unanswered') return { kind: 'silence', forward: true };
    if (isFatal) return death === 'late' ? { kind: 'delay', until: released } : { kind: 'silence', forward: false };
    if (death === 'answered' || death === 'unanswered') return { kind: 'silence', forward: false };
    passed.push(request);
    return undefined;
  });
  return { killed, isSprung: () => isSprung, writes: () => writes, release, disarm: () => proxy.onRequest(undefined) };
}

async function untilAnswered(requests: readonly SeenRequest[]): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (requests.some(({ status }) => status === undefined)) {
    if (Date.now() > deadline) throw new Error('the API server does not answer a write');
    await sleep(5);
  }
}
