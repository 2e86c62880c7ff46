import t from 'tap';
import * as errors from '../../src/kube/error.ts';
import { readRefusal, readWatchError } from '../../src/kube/refusal.ts';

const status = (code: number, reason: string, details: object = {}, message = 'refused') =>
  readRefusal({ code, body: { kind: 'Status', status: 'Failure', code, reason, message, details }, retryAfter: undefined });
const plain = (code: number, body: unknown = '') => readRefusal({ code, body, retryAfter: undefined });
const lost = (failure: errors.ConnectionFailure, mayHaveRun = true) => new errors.ConnectionError('lost', { failure, mayHaveRun });
const conflict = status(409, 'Conflict', { causes: [{ reason: 'FieldManagerConflict', field: '.a', message: 'conflict with "x"' }] });

type Predicate = (error: unknown) => boolean;
const predicates: Readonly<Record<string, Predicate>> = {
  isNotFound: errors.isNotFound,
  isObjectNotFound: (error) => errors.isObjectNotFound(error, { plural: 'configmaps', name: 'web' }),
  isNamespaceGone: (error) => errors.isObjectNotFound(error, { plural: 'namespaces', name: 'team' }),
  isNamespaceNotFound: (error) => errors.isNamespaceNotFound(error, 'team'),
  isKindNotServed: errors.isKindNotServed,
  isConflict: errors.isConflict,
  isFieldConflict: errors.isFieldConflict,
  isAlreadyExists: errors.isAlreadyExists,
  isForbidden: errors.isForbidden,
  isNamespaceTerminating: errors.isNamespaceTerminating,
  isUnauthorized: errors.isUnauthorized,
  isInvalid: errors.isInvalid,
  isGone: errors.isGone,
  isMethodNotAllowed: errors.isMethodNotAllowed,
  isTooManyRequests: errors.isTooManyRequests,
  isTimeout: errors.isTimeout,
  isAborted: errors.isAborted,
  isUnavailable: errors.isUnavailable,
  mayHaveRun: errors.mayHaveRun,
};

const rows: readonly [title: string, error: unknown, holds: readonly string[]][] = [
  ['an object that does not exist', status(404, 'NotFound', { name: 'web', kind: 'configmaps' }), ['isNotFound', 'isObjectNotFound']],
  ['another object that does not exist', status(404, 'NotFound', { name: 'other', kind: 'configmaps' }), ['isNotFound']],
  [
    'a namespace that does not exist',
    status(404, 'NotFound', { name: 'team', kind: 'namespaces' }),
    ['isNotFound', 'isNamespaceGone', 'isNamespaceNotFound'],
  ],
  ['one of the name of the object', status(404, 'NotFound', { name: 'web', kind: 'namespaces' }), ['isNotFound']],
  ['a kind that is not served', status(404, 'NotFound', {}), ['isNotFound', 'isKindNotServed']],
  ['a path that is not served', plain(404, '404 page not found\n'), ['isNotFound', 'isKindNotServed']],
  ['a conflict of versions', status(409, 'Conflict', { name: 'web' }), ['isConflict']],
  ['a conflict of fields', conflict, ['isConflict', 'isFieldConflict']],
  ['a create of what exists', status(409, 'AlreadyExists'), ['isAlreadyExists']],
  ['a refusal by RBAC', status(403, 'Forbidden'), ['isForbidden']],
  [
    'a refusal of impersonation',
    status(403, 'Forbidden', {}, 'x is forbidden: User "y" cannot impersonate resource "serviceaccounts"'),
    ['isForbidden'],
  ],
  [
    'a namespace that terminates',
    status(403, 'Forbidden', { causes: [{ reason: 'NamespaceTerminating' }] }),
    ['isForbidden', 'isNamespaceTerminating'],
  ],
  ['bad credentials', status(401, 'Unauthorized'), ['isUnauthorized', 'isUnavailable']],
  ['an invalid object', status(422, 'Invalid'), ['isInvalid']],
  [
    'a manifest that does not fit its schema',
    status(500, '', {}, 'failed to create typed patch object (n/x; v1, Kind=ConfigMap): .dat: field not declared in schema'),
    ['isInvalid'],
  ],
  [
    'a stored object that does not fit its schema',
    status(500, '', {}, 'failed to create typed live object (n/x; v1, Kind=ConfigMap): .dat: field not declared in schema'),
    ['isUnavailable', 'mayHaveRun'],
  ],
  ['a malformed request', status(400, 'BadRequest'), []],
  ['a version too old', status(410, 'Expired'), ['isGone']],
  [
    'a version too old, told within a watch',
    readWatchError({ kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }),
    ['isGone'],
  ],
  ['a verb that does not exist', status(405, 'MethodNotAllowed'), ['isMethodNotAllowed']],
  ['too many requests', status(429, 'TooManyRequests'), ['isTooManyRequests', 'isUnavailable']],
  ['an internal error', status(500, 'InternalError'), ['isUnavailable', 'mayHaveRun']],
  ['a timeout of the server', status(504, 'Timeout'), ['isTimeout', 'isUnavailable', 'mayHaveRun']],
  ['no connection', lost('unreachable', false), ['isUnavailable']],
  ['a connection that broke', lost('cut'), ['isUnavailable', 'mayHaveRun']],
  ['our own time limit', lost('timeout'), ['isTimeout', 'isUnavailable', 'mayHaveRun']],
  ['a caller that gave up', lost('aborted'), ['isAborted', 'mayHaveRun']],
  ['a bug', new Error('bug'), ['mayHaveRun']],
];
for (const [title, error, holds] of rows) {
  t.test(title, async (t) => {
    const held = Object.entries(predicates).filter(([, predicate]) => predicate(error));
    t.same(held.map(([name]) => name).toSorted(), holds.toSorted());
  });
}

t.test('owners of conflicting fields are read from the causes', async (t) => {
  const cause = (message: string, field = '.spec.a') => ({ reason: 'FieldManagerConflict', message, field });
  const causes = [
    cause('conflict with "kro-graphengine.tmpl.0123456789ab"'),
    cause('conflict with "kubectl-edit" using apps/v1 at 2026-01-01T00:00:00Z'),
    cause('conflict with "hpa" with subresource "scale" using apps/v1'),
    cause('conflict with "a \\"quoted\\" name"', '.spec.b[name="x"]'),
    { reason: 'Other', message: 'no conflict', field: '' },
  ];
  t.same(errors.fieldConflicts(status(409, 'Conflict', { causes })), [
    { manager: 'kro-graphengine.tmpl.0123456789ab', operation: 'Apply', subresource: '', field: '.spec.a' },
    { manager: 'kubectl-edit', operation: 'Update', subresource: '', field: '.spec.a' },
    { manager: 'hpa', operation: 'Update', subresource: 'scale', field: '.spec.a' },
    { manager: 'a "quoted" name', operation: 'Apply', subresource: '', field: '.spec.b[name="x"]' },
  ]);
});

t.test('patience that the server asks for', async (t) => {
  const rows: readonly [title: string, header: string | undefined, seconds: number | undefined, expected: number | undefined][] = [
    ['by header', '3', undefined, 3000],
    ['by the status', undefined, 2, 2000],
    ['the header counts first', '3', 2, 3000],
    ['a date is not understood', 'Fri, 31 Dec 1999 23:59:59 GMT', undefined, undefined],
    ['none', undefined, undefined, undefined],
  ];
  for (const [title, retryAfter, retryAfterSeconds, expected] of rows) {
    t.equal(readRefusal({ code: 429, body: { kind: 'Status', details: { retryAfterSeconds } }, retryAfter }).retryAfter, expected, title);
  }
});

t.test('an answer that is no Status is quoted, and cut', async (t) => {
  t.equal(plain(502, '<html>bad gateway</html>').message, 'the server answered 502: <html>bad gateway</html>');
  t.equal(plain(502, { any: 'json' }).message, 'the server answered 502');
  t.ok(plain(502, 'x'.repeat(100_000)).message.length < 1100);
});
