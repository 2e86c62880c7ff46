import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PairSource } from './tls.ts';

/** Reads `tls.crt` and `tls.key` of a folder: a mounted Secret, or files that a person put there. */
export function pairFiles(folder: string): PairSource {
  return async () => {
    const [certificate, key] = await Promise.all([readFile(join(folder, 'tls.crt'), 'utf8'), readFile(join(folder, 'tls.key'), 'utf8')]);
    return { certificate, key };
  };
}
