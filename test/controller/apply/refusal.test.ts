import t from 'tap';
import { explain, ImpersonationRefused } from '../../../controller/apply/refusal.ts';
import { ApiError, type ApiRefusal, ConnectionError } from '../../../src/kube/error.ts';
import { readRefusal } from '../../../src/kube/refusal.ts';

const user = 'system:serviceaccount:n:painter';
const identity = { group: '', kind: 'ConfigMap', namespace: 'n', name: 'x' };
const request = { user, plural: 'configmaps', identity, payload: undefined } as const;

function refusal(changes: Partial<ApiRefusal>): ApiError {
  return new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: 'no',
    causes: [],
    name: 'x',
    about: 'configmaps',
    retryAfter: undefined,
    ...changes,
  });
}

const rbac = `configmaps "x" is forbidden: User "${user}" cannot patch resource "configmaps" in API group "" in the namespace "n"`;
const ROWS: readonly [title: string, error: unknown, expected: string][] = [
  [
    'RBAC says who may not do what',
    refusal({ message: rbac }),
    `failed ApplyFailed (may heal): forbidden: ${user} may not patch configmaps in namespace "n"`,
  ],
  [
    'and of which subresource',
    refusal({ message: rbac.replace('resource "configmaps"', 'resource "configmaps/status"') }),
    `failed ApplyFailed (may heal): forbidden: ${user} may not patch configmaps/status in namespace "n"`,
  ],
  [
    'an admission plugin may quote values',
    refusal({ message: 'admission webhook "w" denied: SECRET' }),
    "failed ApplyFailed (may heal): forbidden: Forbidden (the server's text may hold computed values)",
  ],
  [
    'an invalid object',
    refusal({ code: 422, reason: 'Invalid', causes: [{ type: 'FieldValueInvalid', field: 'data', message: 'SECRET' }] }),
    'failed ApplyFailed: Invalid: data FieldValueInvalid',
  ],
  [
    'a webhook may refuse by any code, and may change its mind',
    refusal({ code: 422, reason: 'Invalid', message: 'admission webhook "w.x.io" denied the request: SECRET' }),
    `failed ApplyFailed (may heal): refused by admission webhook "w.x.io": Invalid (the server's text may hold computed values)`,
  ],
  [
    'a policy that calls an object invalid',
    refusal({ code: 422, reason: 'Invalid', causes: [{ type: '', field: '', message: 'SECRET' }] }),
    "failed ApplyFailed (may heal): refused: Invalid: (the server's text may hold computed values)",
  ],
  [
    'a quota',
    refusal({ message: 'configmaps "x" is forbidden: exceeded quota: team-q, requested: count/configmaps=1, used: 9, limited: 9' }),
    "failed ApplyFailed (may heal): forbidden by quota: team-q: Forbidden (the server's text may hold computed values)",
  ],
  [
    'a list whose later pages are of a version that went: it is listed again',
    refusal({ code: 410, reason: 'Expired', name: '' }),
    'waiting ApplyFailed: what was being listed is too old by now (Expired)',
  ],
  [
    'a namespace that does not exist',
    refusal({ code: 404, reason: 'NotFound', name: 'n', about: 'namespaces' }),
    'failed ApplyFailed (may heal): namespace "n" does not exist',
  ],
  [
    'a namespace that is being deleted',
    refusal({ causes: [{ type: 'NamespaceTerminating', field: '', message: '' }] }),
    'waiting NamespaceTerminating: namespace "n" is being deleted',
  ],
  [
    'a kind that is not served',
    refusal({ code: 404, reason: 'NotFound', name: '', about: '' }),
    'waiting DataPending: the cluster does not serve this kind (yet)',
  ],
  [
    'a conflict of the moment',
    refusal({ code: 409, reason: 'Conflict' }),
    'waiting ApplyFailed: changed by others at the same moment (Conflict)',
  ],
  ['a busy server', refusal({ code: 429, reason: 'TooManyRequests' }), 'waiting ApplyFailed: the API server is busy (TooManyRequests)'],
  [
    'a server that fails',
    refusal({ code: 500, reason: 'InternalError' }),
    "failed ApplyFailed (may heal): InternalError (the server's text may hold computed values)",
  ],
  [
    'a manifest that does not fit its schema, which the server calls an error of its own',
    readRefusal({
      code: 500,
      body: {
        kind: 'Status',
        message: 'failed to create typed patch object (n/x; v1, Kind=ConfigMap): .dat: field not declared in schema',
      },
      retryAfter: undefined,
    }),
    'failed ApplyFailed: Invalid: .dat FieldValueInvalid: field not declared in schema',
  ],
  ['no answer', new ConnectionError('x', { failure: 'cut', mayHaveRun: true }), 'waiting ApplyFailed: no answer from the API server (cut)'],
];
for (const [title, error, expected] of ROWS) {
  t.test(title, (t) => {
    const { word, trouble } = explain(error, request);
    t.equal(`${word} ${trouble.reason}${trouble.mayHeal ? ' (may heal)' : ''}: ${trouble.message}`, expected);
    t.end();
  });
}

t.test('what is no answer to the node flies on', (t) => {
  const missing = refusal({ name: 'painter', about: 'serviceaccounts' });
  t.throws(() => explain(missing, request), ImpersonationRefused);
  t.equal(explain(missing, { ...request, plural: 'serviceaccounts' }).word, 'failed', 'it may be about that very object');
  const lost = refusal({ code: 401, reason: 'Unauthorized' });
  t.throws(() => explain(lost, request), lost);
  const bug = new TypeError('a bug');
  t.throws(() => explain(bug, request), bug);
  t.end();
});
