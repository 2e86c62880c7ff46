import { createHash } from 'node:crypto';
import t from 'tap';
import {
  applierUser,
  graphHash,
  nodeIdLabel,
  patchManager,
  patchManagerPrefix,
  printNodePath,
  templateManager,
} from '../../src/api/names.ts';

const UID = '3f0c1c6e-7a7e-4b53-9d0a-6f6ee8b0a111';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

t.test('the fixed names of the wire contract (graph.md 1)', (t) => {
  const hash = sha256(UID).slice(0, 12);
  t.equal(graphHash(UID), hash);
  t.equal(templateManager(UID), `kro-graphengine.tmpl.${hash}`);
  t.equal(patchManager(UID, ['a', 'b']), `kro-graphengine.patch.${hash}.${sha256(`${UID}/a/b`).slice(0, 12)}`);
  t.ok(patchManager(UID, ['a']).startsWith(patchManagerPrefix(UID)));
  t.notOk(patchManager('another', ['a']).startsWith(patchManagerPrefix(UID)));
  t.end();
});

const labels: [string, string[], string][] = [
  ['a node of the root frame', ['web'], 'web'],
  ['a nested node is joined by dots', ['backend', 'deployment'], 'backend.deployment'],
  ['63 characters are a label value', ['a'.repeat(31), 'b'.repeat(31)], `${'a'.repeat(31)}.${'b'.repeat(31)}`],
  [
    '64 are not: a hash of the path joined by slashes',
    ['a'.repeat(32), 'b'.repeat(31)],
    `h-${sha256(`${'a'.repeat(32)}/${'b'.repeat(31)}`).slice(0, 40)}`,
  ],
];

t.test('the node-id label', (t) => {
  for (const [title, path, expected] of labels) t.equal(nodeIdLabel(path), expected, title);
  t.equal(printNodePath(['backend', 'deployment']), 'backend/deployment');
  t.end();
});

t.test('the applier', (t) => {
  t.equal(applierUser('team-a', 'deployer'), 'system:serviceaccount:team-a:deployer');
  t.equal(applierUser('team-a', undefined), 'system:serviceaccount:team-a:default');
  t.equal(applierUser('team-a', ''), 'system:serviceaccount:team-a:default', 'empty means default');
  t.end();
});
