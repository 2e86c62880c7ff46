import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Sees to it that what this process started ends with it, also after Ctrl-C, a crash or SIGKILL. */
export interface Guardian {
  readonly watch: (pid: number) => void;
  readonly forget: (pid: number) => void;
  /** Removes the folder, ends what is still watched, and then itself. */
  readonly end: () => Promise<void>;
}

/** Starts the watchdog of one cluster, whose folder it removes at the end. */
export function startGuardian(folder: string): Guardian {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'watchdog.ts')], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  child.unref();
  const pipe = child.stdin;
  if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  pipe.on('error', () => {});
  // A short line to a pipe that is not full is written before this returns.
  const tell = (line: string): void => {
    pipe.write(`${line}\n`);
  };
  tell(`folder ${folder}`);
  return {
    watch: (pid) => tell(`watch ${pid}`),
    forget: (pid) => tell(`forget ${pid}`),
    end: async () => {
      pipe.end();
      await ended(child);
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) await sleep(10);
}
