import t from 'tap';
import type { SchemaBundle } from '../../src/schema/bundle.ts';
import { PartReader, PartWriter } from '../../webhook/schema-parts.ts';

const kind = { group: 'example.com', version: 'v1', kind: 'Gear' };
const bundle: SchemaBundle = {
  resources: [{ kind, plural: 'gears', namespaced: true, verbs: ['get'], hasStatus: false }],
  schemas: {
    'com.example.v1.Gear': {
      type: 'object',
      properties: { size: { type: 'integer', default: 9_007_199_254_740_993n } },
      'x-kubernetes-group-version-kind': [kind],
    },
  },
};

t.test('a thread reads what was written, integers beyond 2^53 exact', async (t) => {
  const writer = new PartWriter();
  const parts = [writer.bundle(bundle), writer.served([kind])];
  const reader = new PartReader();
  for (const part of parts) reader.add(part);
  const snapshot = reader.snapshot(parts.map(({ hash }) => hash));
  t.equal(snapshot.get(kind)?.schema?.defaultOf('size'), 9_007_199_254_740_993n);
  t.same(snapshot.served(), [kind]);
});
