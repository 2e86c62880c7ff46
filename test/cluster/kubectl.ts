import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { ensureTool } from './ensure-tool.ts';

/** How a kubectl run ended. */
export interface KubectlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a kubectl run needs besides its arguments. */
export interface KubectlOptions {
  readonly kubeconfig: string;
  /** Given to its standard input (`-f -`). */
  readonly input?: string;
}

/** Runs the real kubectl; any exit code is a result. */
export async function runKubectl(args: readonly string[], { kubeconfig, input }: KubectlOptions): Promise<KubectlResult> {
  const program = await ensureTool('kubectl');
  const cache = join(dirname(kubeconfig), 'kubectl-cache');
  const child = spawn(program, [`--kubeconfig=${kubeconfig}`, `--cache-dir=${cache}`, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  return { code, stdout, stderr };
}

/** Runs the real kubectl and returns what it prints; an exit code other than 0 throws with its error text. */
export async function kubectl(args: readonly string[], options: KubectlOptions): Promise<string> {
  const { code, stdout, stderr } = await runKubectl(args, options);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
  return stdout;
}
