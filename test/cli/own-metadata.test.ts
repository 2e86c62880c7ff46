import t from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import { checkOwnMetadata } from '../../src/cli/own-metadata.ts';

const name = 'a Graph needs a name that Kubernetes allows, found';

/** Of each the real API server, or kubectl, says the same (kubectl apply and kubectl create, both by dry run). */
const graphs: readonly [title: string, graph: JsonObject, said: readonly string[]][] = [
  ['a name', { metadata: { name: 'shop.v2-a' } }, []],
  ['a name to be generated', { metadata: { generateName: 'shop-' } }, []],
  ['no metadata', {}, [`metadata file/name: ${name} none`]],
  ['no name', { metadata: { labels: {} } }, [`metadata file/name: ${name} none`]],
  ['a misspelt name, once', { metadata: { nam: 'a' } }, ['metadata.nam field/unknown: unknown field "nam" in meta.v1.ObjectMeta']],
  ['a name with other characters', { metadata: { name: 'My_Shop' } }, [`metadata.name file/name: ${name} "My_Shop"`]],
  ['an expression is none here', { metadata: { name: `\${a.b}` } }, [`metadata.name file/name: ${name} "\${a.b}"`]],
  ['a prefix with other characters', { metadata: { generateName: 'A' } }, [`metadata.generateName file/name: ${name} "A"`]],
  ['a name that is no text', { metadata: { name: 3 } }, ['metadata.name field/type: expected string, found int']],
  ['a label that is no text', { metadata: { name: 'a', labels: { a: 1 } } }, ['metadata.labels.a field/type: expected string, found int']],
  ['a field beside the spec', { metadata: { name: 'a' }, nodes: [] }, ['nodes field/unknown: unknown field "nodes" in a Graph']],
  [
    'what an API server writes',
    {
      metadata: { name: 'a', uid: 'u', generation: 1, creationTimestamp: null, finalizers: ['kro.run/graph-finalizer'] },
      status: { state: 'ACTIVE', other: 1 },
    },
    [],
  ],
];
for (const [title, graph, said] of graphs) {
  t.test(title, async (t) => {
    const found = checkOwnMetadata({ apiVersion: 'kro.run/v1alpha1', kind: 'Graph', spec: { nodes: [] }, ...graph });
    t.same(
      found.map(({ path, code, message }) => `${path.toString()} ${code}: ${message}`),
      said,
    );
  });
}
