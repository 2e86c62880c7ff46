import t from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import { type Stamp, stamp } from '../../src/engine/stamp.ts';

const long = Array.from({ length: 12 }, (_, at) => `level${at}`);
const ROWS: readonly [title: string, manifest: JsonObject, stamp: Stamp, labels: JsonObject, annotations: JsonObject][] = [
  [
    'a plain object bears its node and its place',
    { metadata: { name: 'x' } },
    { path: ['backend', 'web'], wave: 3, graphUid: 'u', item: undefined },
    { 'kro.run/node-id': 'backend.web' },
    { 'internal.kro.run/node-path': 'backend/web', 'internal.kro.run/apply-order': '3' },
  ],
  [
    'an item bears its index, the size and the Graph too',
    { metadata: { name: 'x', labels: { own: 'l' }, annotations: { own: 'a' } } },
    { path: ['web'], wave: 1, graphUid: 'u', item: { index: 0, size: 2 } },
    { own: 'l', 'kro.run/node-id': 'web', 'kro.run/collection-index': '0', 'kro.run/collection-size': '2', 'kro.run/instance-id': 'u' },
    { own: 'a', 'internal.kro.run/node-path': 'web', 'internal.kro.run/apply-order': '1' },
  ],
  [
    'a path that is longer than a label may be is hashed in the label, and whole in the annotation',
    { metadata: { name: 'x', labels: { 'kro.run/node-id': 'forged' } } },
    { path: long, wave: 1, graphUid: 'u', item: undefined },
    { 'kro.run/node-id': 'h-ae81aafd14ad97f52544075a2910c5b02cc3186b' },
    { 'internal.kro.run/node-path': long.join('/'), 'internal.kro.run/apply-order': '1' },
  ],
];

for (const [title, manifest, marks, labels, annotations] of ROWS) {
  t.test(title, (t) => {
    t.same(stamp(manifest, marks), { metadata: { name: 'x', labels, annotations } });
    t.end();
  });
}
