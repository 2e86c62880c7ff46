import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureTool } from '../cluster/ensure-tool.ts';

/** The folder of the chart. */
export const CHART = join(import.meta.dirname, '../../charts/kro-graph');

/** How a run of helm ended. */
export interface HelmResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real helm; any exit code is a result. Its own files stay out of the home folder. */
export async function runHelm(args: readonly string[], { kubeconfig = '/dev/null', input = '' } = {}): Promise<HelmResult> {
  const program = await ensureTool('helm');
  const child = spawn(program, args, { env: { ...process.env, KUBECONFIG: kubeconfig, HELM_CACHE_HOME: '/nonexistent' }, stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  return { code, stdout, stderr };
}

/** Runs helm and returns what it prints; an exit code other than 0 throws with its error text. */
export async function helm(args: readonly string[], options: { kubeconfig?: string; input?: string } = {}): Promise<string> {
  const { code, stdout, stderr } = await runHelm(args, options);
  if (code !== 0) throw new Error(`helm ${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
  return stdout;
}
