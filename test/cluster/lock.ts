import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What {@link withLock} needs to know: the lock's file, and whom to tell when another process holds it. */
export interface LockOptions {
  readonly file: string;
  readonly onWait: (pid: number) => void;
}

/** Runs `work` while no other process of this user does so under the same file. A lock whose owner is dead is taken over. */
export async function withLock<Result>(options: LockOptions, work: () => Promise<Result>): Promise<Result> {
  await mkdir(dirname(options.file), { recursive: true });
  await acquire(options);
  try {
    return await work();
  } finally {
    await rm(options.file, { force: true });
  }
}

async function acquire({ file, onWait }: LockOptions): Promise<void> {
  // A link of a written file: whoever sees the lock sees its owner.
  const claim = `${file}.${process.pid}.${randomUUID()}`;
  await writeFile(claim, String(process.pid));
  try {
    let told: number | undefined;
    for (;;) {
      try {
        await link(claim, file);
        return;
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
      }
      const owner = await readOwner(file);
      if (owner !== undefined && !isAlive(owner)) {
        await rm(file, { force: true });
        continue;
      }
      if (owner !== undefined && owner !== told) onWait(owner);
      told = owner ?? told;
      await sleep(100);
    }
  } finally {
    await rm(claim, { force: true });
  }
}

async function readOwner(file: string): Promise<number | undefined> {
  try {
    return Number(await readFile(file, 'utf8'));
  } catch (error) {
    // It was given back since.
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
