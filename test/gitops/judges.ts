import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { AnyObject } from '../cluster/admin.ts';
import { ensureTool } from '../cluster/ensure-tool.ts';
import type { ToolName } from '../cluster/tools.ts';

/** The script that docs/gitops.md tells users of older Argo CD to install. */
export const HEALTH_SCRIPT = resolve(import.meta.dirname, '../../charts/kro-graph/files/argocd/health.lua');

/** What a tool says of one object. */
export interface Judgement {
  readonly status: string;
  readonly message: string;
}

/** What kstatus says of these objects, in their order. */
export const kstatus = (objects: readonly AnyObject[]): Promise<Judgement[]> => judge('kstatus', [], objects);

/** What Argo CD shows with a script of `argocd-cm`, by default the project's own. */
export const argoScript = (objects: readonly AnyObject[], script = HEALTH_SCRIPT): Promise<Judgement[]> =>
  judge('argo-health', ['--script', script], objects);

/** What Argo CD shows by the check of this API group that it ships itself. */
export const argoBuiltIn = (objects: readonly AnyObject[]): Promise<Judgement[]> => judge('argo-health', [], objects);

async function judge(tool: ToolName, args: readonly string[], objects: readonly AnyObject[]): Promise<Judgement[]> {
  const output = await runTool(tool, args, objects.map((object) => JSON.stringify(object)).join('\n'));
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Runs a Go tool with this standard input and returns what it prints; an exit code other than 0 throws with its error text. */
export async function runTool(tool: ToolName, args: readonly string[], input: string): Promise<string> {
  const child = spawn(await ensureTool(tool), args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number>((done, fail) => {
    child.once('error', fail);
    child.once('close', (status) => done(status ?? 1));
  });
  if (code !== 0) throw new Error(`${tool} ended with ${code}: ${stderr.trim()}`);
  return stdout;
}
