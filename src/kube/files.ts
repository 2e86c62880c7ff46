import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ConfigError } from './config-error.ts';

const FRESH = 10_000;

/** A small file that others replace: read again after 10 s, and at once when it was found to be out of date. */
export class RereadFile {
  readonly #path: string;
  #content = '';
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(path: string) {
    this.#path = path;
  }

  read(): string {
    if (performance.now() - this.#readAt <= FRESH) return this.#content;
    try {
      this.#content = readFileSync(this.#path, 'utf8').trim();
    } catch (error) {
      // While it is being replaced, what it said before may still hold.
      if (this.#content === '') throw error;
    }
    this.#readAt = performance.now();
    return this.#content;
  }

  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }
}

/** The file's content, or the decoded data where there is no file. */
export async function fileOrData(file: string | undefined, data: string | undefined): Promise<Buffer | undefined> {
  if (file) return readFile(file);
  return data ? Buffer.from(data, 'base64') : undefined;
}

/** What a read gives; if it fails, a ConfigError that says what could not be read. */
export function readOrExplain<T>(read: () => T, what: string): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigError(`cannot read ${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
