import t from 'tap';
import type { JsonObject, ManagedFieldsEntry } from '../../src/api/object.ts';
import { isUnchanged } from '../../src/engine/unchanged.ts';

const manifest: JsonObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's', namespace: 'n', labels: { app: 'x' } },
  spec: { selector: { app: 'x' }, ports: [{ port: 80, targetPort: 8080 }] },
};
const fields: JsonObject = {
  'f:metadata': { 'f:labels': { 'f:app': {} } },
  'f:spec': { 'f:selector': {}, 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:targetPort': {} } } },
};
const live: JsonObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's', namespace: 'n', uid: 'u', labels: { app: 'x', other: 'y' } },
  spec: { clusterIP: '10.0.0.1', selector: { app: 'x' }, ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }] },
  status: { loadBalancer: {} },
};

function entry(fieldsV1: JsonObject, apiVersion = 'v1'): ManagedFieldsEntry {
  return { manager: 'm', operation: 'Apply', apiVersion, fieldsV1 };
}

function changed(object: JsonObject, path: readonly string[], value: JsonObject[string]): JsonObject {
  const [first = '', ...rest] = path;
  const below = object[first];
  return {
    ...object,
    [first]:
      rest.length === 0
        ? value
        : changed(typeof below === 'object' && below !== null && !Array.isArray(below) ? (below as JsonObject) : {}, rest, value),
  };
}

const ROWS: readonly [title: string, expected: boolean, manifest: JsonObject, live: JsonObject, entry: ManagedFieldsEntry | undefined][] = [
  ['what others have added does not count', true, manifest, live, entry(fields)],
  ['a key that the server defaulted does not count', true, manifest, live, entry(fields)],
  ['a live value of ours that is another is a change', false, manifest, changed(live, ['spec', 'selector'], { app: 'z' }), entry(fields)],
  ['a label of ours that is gone is a change', false, manifest, changed(live, ['metadata', 'labels'], { other: 'y' }), entry(fields)],
  [
    'a value of the manifest that is another is a change',
    false,
    changed(manifest, ['metadata', 'labels'], { app: 'z' }),
    live,
    entry(fields),
  ],
  ['a field that we do not own yet is a change', false, changed(manifest, ['spec', 'type'], 'NodePort'), live, entry(fields)],
  ['a field that we own and no longer want is a change', false, { ...manifest, metadata: { name: 's' } }, live, entry(fields)],
  [
    'a list item more is a change',
    false,
    changed(manifest, ['spec', 'ports'], [{ port: 80, targetPort: 8080 }, { port: 81 }]),
    live,
    entry(fields),
  ],
  [
    'a list item of ours is found among those of others',
    true,
    manifest,
    changed(
      live,
      ['spec', 'ports'],
      [
        { port: 79, protocol: 'TCP', targetPort: 1 },
        { port: 80, protocol: 'TCP', targetPort: 8080 },
      ],
    ),
    entry(fields),
  ],
  [
    'a list item whose live value is another is a change',
    false,
    manifest,
    changed(live, ['spec', 'ports'], [{ port: 80, protocol: 'TCP', targetPort: 1 }]),
    entry(fields),
  ],
  ['another API version is a change', false, manifest, live, entry(fields, 'v2')],
  ['without an entry of ours nothing is certain', false, manifest, live, undefined],
  [
    'members of a set',
    true,
    { apiVersion: 'v1', kind: 'K', set: ['a', 'b'] },
    { set: ['c', 'b', 'a'] },
    entry({ 'f:set': { 'v:"a"': {}, 'v:"b"': {} } }),
  ],
  [
    'a member of a set that is gone',
    false,
    { apiVersion: 'v1', kind: 'K', set: ['a', 'b'] },
    { set: ['a'] },
    entry({ 'f:set': { 'v:"a"': {}, 'v:"b"': {} } }),
  ],
  [
    'another member of a set',
    false,
    { apiVersion: 'v1', kind: 'K', set: ['a', 'c'] },
    { set: ['a', 'b', 'c'] },
    entry({ 'f:set': { 'v:"a"': {}, 'v:"b"': {} } }),
  ],
  ['an atomic list in another order', false, { apiVersion: 'v1', kind: 'K', list: [1, 2] }, { list: [2, 1] }, entry({ 'f:list': {} })],
  ['an integer beyond 2^53', true, { apiVersion: 'v1', kind: 'K', n: 9007199254740993n }, { n: 9007199254740993n }, entry({ 'f:n': {} })],
  ['an empty map of ours', true, { apiVersion: 'v1', kind: 'K', m: {} }, { m: {} }, entry({ 'f:m': {} })],
];

for (const [title, expected, wanted, object, owned] of ROWS) {
  t.test(title, (t) => {
    t.equal(isUnchanged(wanted, object, owned), expected);
    t.end();
  });
}

t.test('depth costs no stack', async (t) => {
  let [wanted, other, fields]: [JsonObject, JsonObject, JsonObject] = [{ end: 1 }, { end: 2 }, { 'f:end': {} }];
  for (let at = 0; at < 10_000; at++) [wanted, other, fields] = [{ a: wanted }, { a: other }, { 'f:a': fields }];
  t.equal(isUnchanged({ apiVersion: 'v1', kind: 'K', ...wanted }, wanted, entry(fields)), true);
  t.equal(isUnchanged({ apiVersion: 'v1', kind: 'K', ...wanted }, other, entry(fields)), false);
});
