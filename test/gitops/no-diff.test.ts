import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import type { AnyObject } from '../cluster/admin.ts';
import { useCluster } from '../support/cluster.ts';
import { startController } from '../support/controller.ts';
import { startWebhook } from '../support/webhook.ts';
import { isSettled } from './settled.ts';

const GRAPH = readFileSync(join(import.meta.dirname, 'graphs/unusual.yaml'), 'utf8');

const use = await useCluster(t);
const { namespace, admin } = use;
await startWebhook(t, use, { args: ['--policy-permissions', 'off'] });
await startController(t, use);
await use.kubectl(['create', 'rolebinding', 'graphs-apply', '--clusterrole=admin', `--serviceaccount=${namespace}:default`]);
await use.kubectl(['create', 'clusterrolebinding', namespace, '--clusterrole=view', `--serviceaccount=${namespace}:default`]);
t.teardown(() => use.tryKubectl(['delete', 'clusterrolebinding', namespace]));

const path = `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs/unusual`;
const stored = async (): Promise<AnyObject> => (await admin.get(path)) ?? {};

const same = { code: 0, stdout: '', stderr: '' };

const ways: [string, readonly string[]][] = [
  ['kubectl apply', ['apply', '-f', '-']],
  ['server-side apply', ['apply', '--server-side', '-f', '-']],
  ['server-side apply as Argo CD', ['apply', '--server-side', '--force-conflicts', '--field-manager=argocd-controller', '-f', '-']],
  ['server-side apply as Flux', ['apply', '--server-side', '--force-conflicts', '--field-manager=kustomize-controller', '-f', '-']],
];

for (const [way, args] of ways) {
  t.test(`a Graph that is applied again by ${way}`, { timeout: 240_000 }, async (t) => {
    t.teardown(() => use.tryKubectl(['delete', 'graph', 'unusual', '--timeout=180s']));
    await use.kubectl(args, { input: GRAPH });
    const before = (await admin.waitFor(path, isSettled)) ?? {};

    await t.test('is stored exactly as it was written, also when the controller has been at work', async (t) => {
      const written = parse(GRAPH);
      t.same(before['spec'], written.spec);
      t.same(
        before['spec'].nodes.map(({ id }: AnyObject) => id),
        written.spec.nodes.map(({ id }: AnyObject) => id),
      );
      t.match(await use.kubectl(['get', 'graph', 'unusual', '-o', 'json']), /"big": 9007199254740993,/);
      t.same(before['metadata'].labels, written.metadata.labels);
      t.match(before['metadata'].annotations, written.metadata.annotations);
    });

    await t.test('differs in nothing by kubectl diff', async (t) => {
      t.same(await use.tryKubectl(['diff', '-f', '-'], { input: GRAPH }), same);
      const serverSide = ['diff', '--server-side', '--force-conflicts', ...args.filter((flag) => flag.startsWith('--field-manager'))];
      t.same(await use.tryKubectl([...serverSide, '-f', '-'], { input: GRAPH }), same);
    });

    await t.test('is written no second time', async (t) => {
      await use.kubectl(args, { input: GRAPH });
      const after = await stored();
      t.equal(after['metadata'].resourceVersion, before['metadata'].resourceVersion);
      t.equal(after['metadata'].generation, 1);
    });

    await t.test('passes no label and no annotation of its own to what it makes', async (t) => {
      const names = ['unusual-zone', 'unusual-north-s', 'unusual-page'];
      for (const name of names) {
        const { metadata } = (await admin.get(`/api/v1/namespaces/${namespace}/configmaps/${name}`)) ?? {};
        const keys = [...Object.keys(metadata.labels ?? {}), ...Object.keys(metadata.annotations ?? {})];
        t.same(
          keys.filter((key) => /argocd|app\.kubernetes\.io|last-applied/.test(key)),
          [],
        );
        t.equal(metadata.ownerReferences, undefined);
      }
    });
  });
}

t.test('a difference is shown', async (t) => {
  await use.kubectl(['apply', '-f', '-'], { input: GRAPH });
  t.teardown(() => use.tryKubectl(['delete', 'graph', 'unusual', '--timeout=180s']));
  const { code, stdout } = await use.tryKubectl(['diff', '-f', '-'], { input: GRAPH.replace('half: 0.5', 'half: 0.25') });
  t.equal(code, 1);
  t.match(stdout, /^-\s+half: 0\.5\n\+\s+half: 0\.25$/m);
});
