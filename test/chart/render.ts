import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { AnyObject } from '../cluster/admin.ts';
import { CHART, helm, runHelm } from './helm.ts';

/** The values files of ci/, one for each mode, by name. */
export const MODES = readdirSync(join(CHART, 'ci')).sort();

/** What a rendering is made of, besides the chart. */
export interface Rendering {
  /** A file of ci/. */
  readonly mode?: string;
  /** More values, merged over those of the mode. */
  readonly values?: AnyObject;
  readonly release?: string;
  readonly namespace?: string;
  readonly flags?: readonly string[];
}

/** The text that `helm template` prints. */
export function renderText(rendering: Rendering = {}): Promise<string> {
  return helm(args(rendering), input(rendering));
}

/** The manifests of a rendering, hooks among them. */
export async function render(rendering: Rendering = {}): Promise<AnyObject[]> {
  return manifestsOf(await renderText(rendering));
}

/** Why a rendering fails; throws when it does not. */
export async function renderFault(rendering: Rendering): Promise<string> {
  const { code, stderr } = await runHelm(args(rendering), input(rendering));
  if (code === 0) throw new Error('it was rendered');
  return stderr;
}

/** The documents of a YAML text, without the empty ones. */
export function manifestsOf(text: string): AnyObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [fault] = document.errors;
    if (fault) throw fault;
    const manifest: unknown = document.toJS();
    return manifest === null || manifest === undefined ? [] : [manifest as AnyObject];
  });
}

/** The one manifest of this kind and name. */
export function pick(manifests: readonly AnyObject[], kind: string, name: string): AnyObject {
  const found = manifests.filter((manifest) => manifest['kind'] === kind && manifest['metadata'].name === name);
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`${found.length} of ${kind} "${name}"`);
  return first;
}

function args({ mode, release = 'kro-graph', namespace = 'kro-system', flags = [] }: Rendering): string[] {
  const file = mode === undefined ? [] : ['--values', join(CHART, 'ci', mode)];
  return ['template', release, CHART, '--namespace', namespace, ...file, '--values', '-', ...flags];
}

function input({ values = {} }: Rendering): { input: string } {
  return { input: JSON.stringify(values) };
}
