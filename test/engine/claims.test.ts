import t from 'tap';
import { Claims, claimKey } from '../../src/engine/claims.ts';

const IDENTITY = '/ConfigMap/n/x';
const key = claimKey(IDENTITY);

t.test('an identity belongs to the first who claims it', (t) => {
  const claims = new Claims();
  const first = { path: ['a'], item: undefined };
  t.equal(claims.claim(key, first), undefined);
  t.equal(claims.claim(key, { path: ['a'], item: undefined }), undefined, 'the same claimant again');
  t.same(claims.claim(key, { path: ['b'], item: undefined }), first);
  t.equal(claims.claim(claimKey('/ConfigMap/m/x'), { path: ['b'], item: undefined }), undefined);
  t.end();
});

t.test('two items of one node are two claimants', (t) => {
  const claims = new Claims();
  claims.claim(key, { path: ['a'], item: 0 });
  t.same(claims.claim(key, { path: ['a'], item: 1 }), { path: ['a'], item: 0 });
  t.same(claims.claim(key, { path: ['b'], item: 0 }), { path: ['a'], item: 0 }, 'as are items of two nodes');
  t.same(claims.claim(key, { path: ['a', 'b'], item: 0 }), { path: ['a'], item: 0 }, 'and those of a node within another frame');
  t.end();
});

t.test('patch nodes share targets with templates and with one another', (t) => {
  const claims = new Claims();
  claims.claim(key, { path: ['a'], item: undefined });
  t.equal(claims.claim(claimKey(IDENTITY, 'p'), { path: ['p'], item: undefined }), undefined);
  t.equal(claims.claim(claimKey(IDENTITY, 'q'), { path: ['q'], item: undefined }), undefined);
  t.end();
});
