import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guardian } from './guardian.ts';

/** A program of the control plane to start. */
export interface ComponentOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly logFile: string;
  readonly guardian: Guardian;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A running program of the control plane, in a process group of its own. */
export interface Component {
  readonly pid: number;
  /** Throws with the last lines of the log if the program has ended. */
  readonly assertAlive: () => void;
  /** SIGTERM, and SIGKILL after the grace; returns when the process is gone. */
  readonly stop: (graceMilliseconds: number) => Promise<void>;
}

/** Starts a program whose output goes to a file; it does not keep this process alive. */
export function startComponent(options: ComponentOptions): Component {
  const name = basename(options.program);
  const log = openSync(options.logFile, 'a');
  const child = spawn(options.program, options.args, {
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...options.environment },
  });
  closeSync(log);
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  const pid = child.pid ?? 0;
  if (pid > 0) options.guardian.watch(pid);
  child.once('exit', () => options.guardian.forget(pid));
  child.unref();
  const hasEnded = (): boolean => failure !== undefined || child.exitCode !== null || child.signalCode !== null;
  return {
    pid,
    assertAlive: () => {
      if (!hasEnded()) return;
      const how = failure?.message ?? `it ended with ${child.signalCode ?? `exit code ${child.exitCode}`}`;
      throw new ComponentEnded(name, how, lastLines(options.logFile));
    },
    stop: async (graceMilliseconds) => {
      const deadline = Date.now() + graceMilliseconds;
      if (!hasEnded()) child.kill('SIGTERM');
      while (!hasEnded() && Date.now() < deadline) await sleep(10);
      if (!hasEnded()) child.kill('SIGKILL');
      while (!hasEnded()) await sleep(5);
    },
  };
}

/** A program of the control plane ended by itself. */
export class ComponentEnded extends Error {
  readonly portTaken: boolean;

  constructor(name: string, how: string, log: string) {
    super(`${name} does not run: ${how}; the end of its log:\n${log}`);
    this.portTaken = log.includes('address already in use');
  }
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
}
