/** The process as its output sees it; `process` fits. */
export interface OutputProcess {
  readonly stdout: NodeJS.EventEmitter;
  readonly stderr: NodeJS.EventEmitter & { write(text: string): unknown };
  exit(code?: number): void;
}

const ENVIRONMENT_CODE = 2;

/**
 * Ends without a word when whoever reads the output has enough (`| head`), and in one line when it cannot be written at all. Call it before
 * anything is written.
 */
export function endWithReader({ stdout, stderr, exit }: OutputProcess): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      exit();
      return;
    }
    stderr.write(`kro-graph: the output cannot be written: ${error.message}\n`);
    exit(ENVIRONMENT_CODE);
  });
  // There is nobody left to tell.
  stderr.on('error', () => {});
}
