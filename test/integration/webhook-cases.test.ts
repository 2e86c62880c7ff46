import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';
import { Agent, request } from 'undici';
import { parse } from 'yaml';
import { useCluster } from '../support/cluster.ts';
import { startWebhook } from '../support/webhook.ts';

const CASES = resolve(import.meta.dirname, '../cases');
const FOLDERS = ['compile', 'compile-more'];
const CRDS = ['widgets.example.com', 'gauges.example.com'];
/** Of the cluster's present state, not of the spec (graph.md 14.2). */
const ABOUT_THE_CLUSTER = /^plan:|^(permissions|service-account|check)\/|^target\/cross-namespace/;

const OF_THE_SCHEMA = /^failed to create typed patch object |: Invalid value: .* in body must be of type /;

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

t.setTimeout(600_000);
const use = await useCluster(t);
for (const crd of CRDS) {
  await use.kubectl(['apply', '--server-side', '-f', join(CASES, 'crds', `${crd}.yaml`)]);
  await use.kubectl(['wait', '--for=condition=Established', `crd/${crd}`]);
}
await startWebhook(t, use, { args: ['--policy-permissions', 'off'] });

const dispatcher = new Agent({ connect: { ca: use.access.certificateAuthority }, connections: 8 });
t.teardown(() => dispatcher.close());

const cases = FOLDERS.flatMap((folder) =>
  readdirSync(join(CASES, folder))
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => readCase(join(CASES, folder, file))),
);

t.test('every compile case holds through the API server', async (t) => {
  t.ok(cases.length > 800, `${cases.length} cases`);
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
  // What the CRD's own schema refuses never comes to the webhook, and is told in the API server's words.
  const words = OF_THE_SCHEMA.test(answer.text) ? [] : has;
  const missing = words.filter((word) => !answer.text.toLowerCase().includes(word.toLowerCase()));
  t.same([answer.verdict, missing], [expect, []], `${name}: ${answer.text}`);
}

/** Server-side dry-run apply; the warnings of an answer stand in its headers. */
async function applyDry({ name, graph }: Case): Promise<Answer> {
  const path = `/apis/kro.run/v1alpha1/namespaces/${use.namespace}/graphs/${name}?dryRun=All&fieldManager=cases`;
  const { statusCode, headers, body } = await request(`${use.access.server}${path}`, {
    dispatcher,
    method: 'PATCH',
    headers: { authorization: `Bearer ${use.access.token}`, 'content-type': 'application/apply-patch+yaml' },
    body: JSON.stringify(graph),
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
  // A case means its own namespace when it says so.
  const text = readFileSync(file, 'utf8').replaceAll('namespace: default', `namespace: ${use.namespace}`);
  const header = (key: string): string | undefined => new RegExp(`^# ${key}: (.*)$`, 'm').exec(text)?.[1]?.trim();
  const has = header('message-has') ?? header('warning-has');
  const graph = parse(text);
  return {
    name: graph.metadata.name,
    expect: header('expect') ?? '',
    has: (has ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
    graph,
  };
}
