import t from 'tap';
import type { JsonObject, JsonValue } from '../../src/api/object.ts';
import { decode } from '../../webhook/decode.ts';
import { accountOf, isStamped, type Scrutiny, scrutinyOf } from '../../webhook/exempt.ts';
import { makeGraph, makeReview, toBytes } from '../support/admission.ts';

const deleting = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['kro.run/graph-finalizer'] };
const nodes = [{ id: 'a', def: { b: 1 } }];
const other = [{ id: 'a', def: { b: 2 } }];

const rows: [string, Record<string, JsonValue | undefined>, Scrutiny][] = [
  ['a create', {}, 'all'],
  ['a delete', { operation: 'DELETE', object: null, oldObject: makeGraph() }, 'none'],
  ['a connect', { operation: 'CONNECT' }, 'none'],
  ['the status subresource', { operation: 'UPDATE', subResource: 'status', oldObject: makeGraph({ spec: { nodes } }) }, 'none'],
  ['another kind', { kind: { group: 'apps', version: 'v1', kind: 'Deployment' } }, 'none'],
  ['another version of the kind', { kind: { group: 'kro.run', version: 'v1', kind: 'Graph' } }, 'all'],
  ['an update of labels', { operation: 'UPDATE', object: makeGraph({ metadata: { labels: { a: 'b' } } }), oldObject: makeGraph() }, 'none'],
  [
    'an update of the spec',
    { operation: 'UPDATE', object: makeGraph({ spec: { nodes } }), oldObject: makeGraph({ spec: { nodes: other } }) },
    'all',
  ],
  [
    'the finalizer goes, of a Graph that is being deleted',
    { operation: 'UPDATE', object: makeGraph({ metadata: { ...deleting, finalizers: [] } }), oldObject: makeGraph({ metadata: deleting }) },
    'none',
  ],
  [
    'another spec of a Graph that is being deleted',
    {
      operation: 'UPDATE',
      object: makeGraph({ metadata: deleting, spec: { nodes } }),
      oldObject: makeGraph({ metadata: deleting, spec: { nodes: other } }),
    },
    'none',
  ],
  [
    'another account of a Graph that is being deleted',
    {
      operation: 'UPDATE',
      object: makeGraph({ metadata: deleting, spec: { nodes, serviceAccountName: 'deployer' } }),
      oldObject: makeGraph({ metadata: deleting, spec: { nodes } }),
    },
    'account',
  ],
  [
    'the default account by name, of a Graph that is being deleted',
    {
      operation: 'UPDATE',
      object: makeGraph({ metadata: deleting, spec: { nodes, serviceAccountName: 'default' } }),
      oldObject: makeGraph({ metadata: deleting, spec: { nodes, serviceAccountName: '' } }),
    },
    'none',
  ],
];

for (const [title, members, expected] of rows) {
  t.test(title, (t) => {
    t.equal(scrutinyOf(decode(toBytes(makeReview(members)))), expected);
    t.end();
  });
}

const manager = 'kro-graphengine.tmpl.0123456789ab';
const stamps: [string, string, string, boolean][] = [
  ['another Graph, as its ServiceAccount', manager, 'system:serviceaccount:team-a:default', true],
  ['a person who uses its field manager', manager, 'jane', false],
  ['a ServiceAccount that uses kubectl', 'kubectl', 'system:serviceaccount:team-a:default', false],
  ['a patch of another Graph', 'kro-graphengine.patch.0123456789ab.0123456789ab', 'system:serviceaccount:team-a:default', false],
];

for (const [title, fieldManager, username, expected] of stamps) {
  t.test(`written by ${title}`, (t) => {
    t.equal(isStamped(decode(toBytes(makeReview({ options: { fieldManager }, userInfo: { username } })))), expected);
    t.end();
  });
}

const accounts: [string, JsonObject, string][] = [
  ['none', { nodes }, 'default'],
  ['an empty one', { nodes, serviceAccountName: '' }, 'default'],
  ['one by name', { nodes, serviceAccountName: 'deployer' }, 'deployer'],
];

for (const [title, spec, expected] of accounts) {
  t.test(`account: ${title}`, (t) => {
    t.equal(accountOf(makeGraph({ spec })), expected);
    t.end();
  });
}
