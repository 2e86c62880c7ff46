import t from 'tap';
import type { JsonObject, ManagedFieldsEntry } from '../../src/api/object.ts';
import { ownsUnseen } from '../../src/engine/unseen.ts';

const ROWS: readonly [title: string, expected: boolean, manifest: JsonObject, live: JsonObject, fieldsV1: JsonObject][] = [
  [
    'what is shown is seen, in whatever form',
    false,
    { spec: { cpu: '1000m', labels: { a: 'x' } } },
    { spec: { cpu: '1', labels: { a: 'x', b: 'y' } } },
    { 'f:spec': { 'f:cpu': {}, 'f:labels': { 'f:a': {} } } },
  ],
  ['a field that is only written', true, { stringData: { k: 'v' } }, { data: { k: 'dg==' } }, { 'f:stringData': { '.': {}, 'f:k': {} } }],
  ['also where its value is empty', true, { stringData: { k: '' } }, { data: { k: '' } }, { 'f:stringData': { 'f:k': {} } }],
  [
    'an empty value is left out by the server, and hides nothing',
    false,
    { spec: { paused: false, env: [{ name: 'A', value: '' }], resources: {}, at: null, n: 0, list: [] } },
    { spec: { env: [{ name: 'A' }] } },
    {
      'f:spec': {
        'f:paused': {},
        'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
        'f:resources': {},
        'f:at': {},
        'f:n': {},
        'f:list': {},
      },
    },
  ],
  [
    'a field of an item',
    true,
    { spec: { env: [{ name: 'A', once: 'v' }] } },
    { spec: { env: [{ name: 'A' }] } },
    { 'f:spec': { 'f:env': { 'k:{"name":"A"}': { 'f:name': {}, 'f:once': {} } } } },
  ],
  [
    'a member of a set',
    true,
    { metadata: { finalizers: ['x'] } },
    { metadata: { finalizers: ['y'] } },
    { 'f:metadata': { 'f:finalizers': { 'v:"x"': {} } } },
  ],
];
for (const [title, expected, manifest, live, fieldsV1] of ROWS) {
  t.test(title, async (t) =>
    t.equal(ownsUnseen(manifest, live, { manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsV1 }), expected),
  );
}

t.test('who owns nothing hides nothing', async (t) => t.equal(ownsUnseen({ a: 'x' }, {}, undefined), false));

t.test('depth costs no stack', async (t) => {
  let [manifest, live, fieldsV1]: [JsonObject, JsonObject, JsonObject] = [{ end: 1 }, {}, { 'f:end': {} }];
  for (let at = 0; at < 10_000; at++) [manifest, live, fieldsV1] = [{ a: manifest }, { a: live }, { 'f:a': fieldsV1 }];
  const entry: ManagedFieldsEntry = { manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsV1 };
  t.equal(ownsUnseen(manifest, live, entry), true);
  t.equal(ownsUnseen(manifest, manifest, entry), false);
});
