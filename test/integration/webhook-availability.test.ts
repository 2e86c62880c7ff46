import t from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import { useCluster } from '../support/cluster.ts';
import { startWebhook } from '../support/webhook.ts';

const use = await useCluster(t);
const webhook = await startWebhook(t, use);

const def = (value: string): JsonObject => ({ id: 'settings', def: { value } });
const graph = (name: string, value: string): { readonly input: string } => ({
  input: JSON.stringify({
    apiVersion: 'kro.run/v1alpha1',
    kind: 'Graph',
    metadata: { name, finalizers: ['example.com/hold'] },
    spec: { nodes: [def(value)] },
  }),
});

const apply = ['apply', '-f', '-'];
await use.kubectl(apply, graph('stored', 'blue'));
await use.kubectl(apply, graph('other', 'blue'));
await webhook.stop();

const passes: [string, readonly string[], { readonly input?: string }][] = [
  ['the same content again', apply, graph('stored', 'blue')],
  ['a label', ['label', 'graph', 'stored', 'a=b'], {}],
  ['an annotation', ['annotate', 'graph', 'stored', 'a=b'], {}],
  ['a status', ['patch', 'graph', 'stored', '--subresource=status', '--type=merge', '-p', '{"status":{"state":"ACTIVE"}}'], {}],
  ['a delete', ['delete', 'graph', 'stored', '--wait=false'], {}],
  [
    'a spec that changes while the Graph is being deleted',
    ['patch', 'graph', 'stored', '--type=merge', '-p', JSON.stringify({ spec: { nodes: [def('red')] } })],
    {},
  ],
  ['the finalizer that goes', ['patch', 'graph', 'stored', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'], {}],
];

for (const [title, args, options] of passes) {
  t.test(`with the webhook down, ${title} passes`, async (t) => {
    t.match(await use.tryKubectl(args, options), { code: 0, stderr: '' });
  });
}

const fails: [string, readonly string[], { readonly input?: string }][] = [
  ['a create', apply, graph('new', 'blue')],
  ['a change of the spec', apply, graph('other', 'red')],
];

for (const [title, args, options] of fails) {
  t.test(`with the webhook down, ${title} fails, and the message names the webhook`, async (t) => {
    const { code, stderr } = await use.tryKubectl(args, options);
    t.equal(code, 1);
    t.match(stderr, /failed calling webhook "validate\.graphs\.kro\.run"/);
  });
}

t.test('and the Graph is gone in the end', async (t) => {
  t.match(await use.tryKubectl(['get', 'graph', 'stored']), { code: 1, stderr: /NotFound/ });
  await use.kubectl(['patch', 'graph', 'other', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
});
