import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoFailed } from './stage.ts';

const COMMAND = resolve(import.meta.dirname, '../../bin/kro-graph');
const READY_WITHIN_MILLISECONDS = 60_000;
const GRACE_MILLISECONDS = 10_000;

/** One of the two servers to start. */
export interface DoorOptions {
  readonly name: 'webhook' | 'controller';
  readonly args: readonly string[];
  readonly probePort: number;
  /** Where its log goes. */
  readonly folder: string;
}

/** A running server. */
export interface Door {
  readonly logFile: string;
  /** Throws when the server has ended by itself. */
  readonly assertAlive: () => void;
  /** SIGTERM, then SIGKILL after ten seconds. */
  readonly stop: () => Promise<void>;
}

/** Starts `bin/kro-graph NAME` as its chart would and returns when its probe says that it is ready. */
export async function openDoor({ name, args, probePort, folder }: DoorOptions): Promise<Door> {
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, 'a');
  const child = spawn(COMMAND, [name, ...args, '--probe-port', String(probePort)], { stdio: ['ignore', log, log] });
  closeSync(log);
  let failure: string | undefined;
  child.once('error', (error) => {
    failure = error.message;
  });
  const assertAlive = (): void => {
    if (failure === undefined && child.exitCode === null && child.signalCode === null) return;
    const tail = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-10).join('\n');
    throw new DemoFailed(`the ${name} ended: ${failure ?? child.signalCode ?? `exit code ${child.exitCode}`}\n${tail}`);
  };
  const deadline = Date.now() + READY_WITHIN_MILLISECONDS;
  while (!(await answers(`http://127.0.0.1:${probePort}/readyz`))) {
    assertAlive();
    if (Date.now() > deadline)
      throw new DemoFailed(`the ${name} is not ready after ${READY_WITHIN_MILLISECONDS / 1000} s; its log: ${logFile}`);
    await sleep(50);
  }
  return { logFile, assertAlive, stop: () => stop(child) };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  child.kill('SIGTERM');
  const deadline = Date.now() + GRACE_MILLISECONDS;
  while (!hasEnded() && Date.now() < deadline) await sleep(20);
  if (!hasEnded()) child.kill('SIGKILL');
}
