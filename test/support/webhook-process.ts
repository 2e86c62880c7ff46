import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';

const COMMAND = resolve(import.meta.dirname, '../../bin/kro-graph');
const GRACE_MILLISECONDS = 60_000;

/** `bin/kro-graph webhook` as a process of its own. */
export interface WebhookProcess {
  readonly logFile: string;
  readonly pid: number;
  /** The exit code, when it has ended; that of a signal is 1. */
  readonly exited: Promise<number>;
  /** Returns when `/readyz` says so; throws with the log's end when the process ends first. */
  readonly untilReady: (probes: string) => Promise<void>;
  readonly assertAlive: () => void;
  /** SIGTERM, later SIGKILL; returns when it has ended. */
  readonly stop: () => Promise<number>;
}

/** Starts it with these flags, and does not wait until it is ready. It ends with the test at the latest. */
export function spawnWebhook(
  t: Pick<Test, 'teardown'>,
  {
    args,
    folder,
    environment = {},
  }: { args: readonly string[]; folder: string; environment?: Readonly<Record<string, string>> | undefined },
): WebhookProcess {
  const logFile = join(folder, 'webhook.log');
  const log = openSync(logFile, 'a');
  const child = spawn(COMMAND, ['webhook', ...args], { stdio: ['ignore', log, log], env: { ...process.env, ...environment } });
  closeSync(log);
  let hasEnded = false;
  const { promise: exited, resolve: end } = Promise.withResolvers<number>();
  child.once('error', () => end(1));
  child.once('exit', (code) => end(code ?? 1));
  void exited.then(() => {
    hasEnded = true;
  });
  const assertAlive = (): void => {
    if (hasEnded) throw new Error(`the webhook has ended:\n${readFileSync(logFile, 'utf8').split('\n').slice(-10).join('\n')}`);
  };
  const stop = async (): Promise<number> => {
    child.kill('SIGTERM');
    const last = setTimeout(() => child.kill('SIGKILL'), GRACE_MILLISECONDS);
    const code = await exited;
    clearTimeout(last);
    return code;
  };
  t.teardown(stop);
  return { logFile, pid: child.pid ?? 0, exited, assertAlive, stop, untilReady: (probes) => untilReady(probes, assertAlive) };
}

async function untilReady(probes: string, assertAlive: () => void): Promise<void> {
  const deadline = Date.now() + 180_000;
  for (;;) {
    assertAlive();
    const said = await fetch(`${probes}/readyz`).then(
      async (answer) => (answer.ok ? undefined : answer.text()),
      (error: Error) => error.message,
    );
    if (said === undefined) return;
    if (Date.now() > deadline) throw new Error(`the webhook is not ready: ${said}`);
    await sleep(50);
  }
}
