import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';
import { Agent, request } from 'undici';
import { parse } from 'yaml';
import { useCluster } from '../support/cluster.ts';
import { startWebhook } from '../support/webhook.ts';

const FOLDER = resolve(import.meta.dirname, '../cases/compile');
const WIDGETS = resolve(import.meta.dirname, '../cases/crds/widgets.example.com.yaml');
/** Of the cluster's present state, not of the spec (graph.md 14.2). */
const ABOUT_THE_CLUSTER = /^(permissions|service-account|check)\/|^target\/cross-namespace/;

interface Case {
  readonly name: string;
  readonly expect: string;
  /** Words that the refusal, or a warning, must contain. */
  readonly has: readonly string[];
  readonly graph: Record<string, unknown>;
}

interface Answer {
  readonly verdict: string;
  readonly text: string;
}

const use = await useCluster(t);
await use.kubectl(['apply', '--server-side', '-f', WIDGETS]);
await use.kubectl(['wait', '--for=condition=Established', 'crd/widgets.example.com']);
await startWebhook(t, use, { args: ['--policy-permissions', 'off'] });

const dispatcher = new Agent({ connect: { ca: use.access.certificateAuthority }, connections: 8 });
t.teardown(() => dispatcher.close());

const cases = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .sort()
  .map(readCase);

t.test('every compile case holds through the API server', { timeout: 300_000 }, async (t) => {
  t.ok(cases.length > 200, `${cases.length} cases`);
  const pending = cases.values();
  const lane = async (): Promise<void> => {
    for (const one of pending) judge(t, one, await applyDry(one));
  };
  await Promise.all(Array.from({ length: 8 }, lane));
});

function judge(
  t: { same: (found: unknown, wanted: unknown, message: string) => unknown },
  { name, expect, has }: Case,
  answer: Answer,
): void {
  const missing = has.filter((word) => !answer.text.toLowerCase().includes(word.toLowerCase()));
  t.same([answer.verdict, missing], [expect, []], `${name}: ${answer.text}`);
}

/** Server-side dry-run apply; the warnings of an answer stand in its headers. */
async function applyDry({ name, graph }: Case): Promise<Answer> {
  const metadata = { ...(graph['metadata'] as object), name, namespace: use.namespace };
  const path = `/apis/kro.run/v1alpha1/namespaces/${use.namespace}/graphs/${name}?dryRun=All&fieldManager=cases`;
  const { statusCode, headers, body } = await request(`${use.access.server}${path}`, {
    dispatcher,
    method: 'PATCH',
    headers: { authorization: `Bearer ${use.access.token}`, 'content-type': 'application/apply-patch+yaml' },
    body: JSON.stringify({ ...graph, metadata }),
  });
  const answer = (await body.json()) as { readonly message?: string };
  const warnings = readWarnings(headers['warning']).filter((warning) => !ABOUT_THE_CLUSTER.test(warning));
  if (statusCode >= 400) return { verdict: 'reject', text: answer.message ?? '' };
  return { verdict: warnings.length > 0 ? 'warn' : 'accept', text: warnings.join('\n') };
}

function readWarnings(header: string | readonly string[] | undefined): string[] {
  const text = [header ?? []].flat().join(', ');
  return [...text.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map((match) => JSON.parse(`"${match[1]}"`));
}

function readCase(file: string): Case {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const header = (key: string): string | undefined => new RegExp(`^# ${key}: (.*)$`, 'm').exec(text)?.[1]?.trim();
  const has = header('message-has') ?? header('warning-has');
  return {
    name: `case-${file.replace(/\.yaml$/, '')}`,
    expect: header('expect') ?? '',
    has: (has ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
    graph: parse(text),
  };
}
