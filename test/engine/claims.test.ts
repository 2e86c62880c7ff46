import t from 'tap';
import { Claims } from '../../src/engine/claims.ts';

const identity = { group: '', kind: 'ConfigMap', namespace: 'n', name: 'x' };

t.test('an identity belongs to the first who claims it', (t) => {
  const claims = new Claims();
  const first = { path: ['a'], item: undefined };
  t.equal(claims.claim(identity, first), undefined);
  t.equal(claims.claim(identity, { path: ['a'], item: undefined }), undefined, 'the same claimant again');
  t.same(claims.claim(identity, { path: ['b'], item: undefined }), first);
  t.equal(claims.claim({ ...identity, namespace: 'm' }, { path: ['b'], item: undefined }), undefined);
  t.end();
});

t.test('two items of one node are two claimants', (t) => {
  const claims = new Claims();
  claims.claim(identity, { path: ['a'], item: 0 });
  t.same(claims.claim(identity, { path: ['a'], item: 1 }), { path: ['a'], item: 0 });
  t.end();
});

t.test('patch nodes share targets with templates and with one another', (t) => {
  const claims = new Claims();
  claims.claim(identity, { path: ['a'], item: undefined });
  t.equal(claims.claim(identity, { path: ['p'], item: undefined }, 'p'), undefined);
  t.equal(claims.claim(identity, { path: ['q'], item: undefined }, 'q'), undefined);
  t.end();
});
