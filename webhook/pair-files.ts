import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PairSource } from './tls.ts';

/** Reads `tls.crt` and `tls.key` of a folder: a mounted Secret, or files that a person put there. */
export function pairFiles(folder: string): PairSource {
  return async () => {
    // Both at once, so that a replacement seldom comes between. Of two that fail the first is told, always: the same trouble is told once.
    const [certificate, key] = await Promise.allSettled(['tls.crt', 'tls.key'].map((name) => readFile(join(folder, name), 'utf8')));
    return { certificate: contentOf(certificate), key: contentOf(key) };
  };
}

function contentOf(read: PromiseSettledResult<string> | undefined): string {
  if (read?.status === 'fulfilled') return read.value;
  throw read?.reason;
}
