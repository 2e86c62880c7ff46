import t from 'tap';
import { ApiError, ConnectionError } from '../../src/kube/error.ts';
import type { Action, ClusterView, Policy, Subject } from '../../webhook/checks/check.ts';
import type { CheckName } from '../../webhook/checks/index.ts';
import { runChecks } from '../../webhook/checks/run.ts';
import { targetsOf } from '../../webhook/checks/targets.ts';
import type { Requester } from '../../webhook/decode.ts';
import { within } from '../support/admission.ts';
import { testSnapshot } from '../support/schemas.ts';

const jane: Requester = { username: 'jane', uid: '', groups: [], extra: {} };
const applier = 'system:serviceaccount:team-a:deployer';

const object = (kind: string, metadata: Record<string, unknown>, apiVersion = 'v1') => ({ apiVersion, kind, metadata });
const nodes = [
  { id: 'page', template: object('ConfigMap', { name: 'page' }) },
  { id: 'pages', ref: object('ConfigMap', { selector: {} }) },
  { id: 'remote', ref: object('Secret', { name: 'ca', namespace: 'kube-public' }) },
  { id: 'computed', template: object('Secret', { name: 's', namespace: '${page.metadata.name}' }) },
  { id: 'gizmo', template: object('Gizmo', { name: 'g' }, 'example.dev/v1') },
  { id: 'values', def: { kind: 'Pod', apiVersion: 'v1' } },
  { id: 'inner', graph: { nodes: [{ id: 'role', patch: object('ClusterRole', { name: 'r' }, 'rbac.authorization.k8s.io/v1') }] } },
];

const subject: Subject = {
  requester: jane,
  namespace: 'team-a',
  account: 'deployer',
  targets: targetsOf({ nodes }),
  served: (kind) => testSnapshot().get(kind),
};

type Policies = Record<CheckName, Policy>;
const OFF: Policies = { missingServiceAccount: 'off', permissions: 'off', crossNamespace: 'off', serviceAccountCheck: 'off' };

/** A cluster in which everybody may do everything but what is listed, as `user verb resource namespace/name`. */
function cluster(denied: readonly string[] = [], accounts = ['team-a/deployer']): ClusterView & { readonly asked: string[] } {
  const asked: string[] = [];
  const print = (user: Requester, { verb, resource, subresource, group, namespace, name }: Action): string =>
    `${user.username} ${verb} ${group === '' ? resource : `${resource}.${group}`}${subresource && `/${subresource}`} ${namespace}/${name}`;
  return {
    asked,
    isAllowed: async (user, action) => {
      asked.push(print(user, action));
      return !denied.includes(print(user, action));
    },
    accountExists: async (namespace, name) => accounts.includes(`${namespace}/${name}`),
  };
}

async function check(policies: Partial<Policies>, view: ClusterView, changes: Partial<Subject> = {}) {
  const { errors, warnings, unanswered } = await runChecks({
    subject: { ...subject, ...changes },
    cluster: view,
    policies: { ...OFF, ...policies },
    onlyOfAccount: false,
    signal: within(200),
  });
  const print = (list: typeof errors): string[] => list.map(({ code, path, message }) => `${code} ${path}: ${message}`);
  return { errors: print(errors), warnings: print(warnings), unanswered: print(unanswered) };
}

const NONE = { errors: [], warnings: [], unanswered: [] };

t.test('permissions: each verb that a node needs, on each resource and namespace once', async (t) => {
  const view = cluster();
  t.strictSame(await check({ permissions: 'warn' }, view), NONE);
  t.strictSame(
    view.asked.sort(),
    [
      ...['get', 'list', 'watch', 'create', 'patch', 'delete'].map((verb) => `${applier} ${verb} configmaps team-a/`),
      ...['list', 'watch'].map((verb) => `${applier} ${verb} configmaps /`),
      ...['get', 'list', 'watch'].map((verb) => `${applier} ${verb} secrets kube-public/`),
      ...['get', 'list', 'watch', 'patch'].map((verb) => `${applier} ${verb} clusterroles.rbac.authorization.k8s.io /`),
    ].sort(),
    'what is computed or not served is not asked for',
  );
});

t.test('permissions: what is missing is told by resource', async (t) => {
  const denied = [
    `${applier} create configmaps team-a/`,
    `${applier} patch configmaps team-a/`,
    `${applier} patch clusterroles.rbac.authorization.k8s.io /`,
  ];
  const expected = [
    'permissions/missing spec.nodes[0].template: "deployer" may not create, patch configmaps in "team-a"',
    'permissions/missing spec.nodes[6].graph.nodes[0].patch: "deployer" may not patch clusterroles.rbac.authorization.k8s.io',
  ];
  t.strictSame(await check({ permissions: 'warn' }, cluster(denied)), { ...NONE, warnings: expected });
  t.strictSame(await check({ permissions: 'deny' }, cluster(denied)), { ...NONE, errors: expected });
});

t.test('permissions: a patch of status is written to the subresource, and read from the resource', async (t) => {
  const patched = { ...object('Deployment', { name: 'd' }, 'apps/v1'), status: { replicas: 1 } };
  const targets = targetsOf({ nodes: [{ id: 'p', patch: patched }] });
  const view = cluster([`${applier} patch deployments.apps/status team-a/`]);
  t.strictSame(await check({ permissions: 'warn' }, view, { targets }), {
    ...NONE,
    warnings: ['permissions/missing spec.nodes[0].patch: "deployer" may not patch deployments.apps/status in "team-a"'],
  });
  t.strictSame(
    view.asked.sort(),
    [
      ...['get', 'list'].map((verb) => `${applier} ${verb} deployments.apps team-a/`),
      `${applier} patch deployments.apps/status team-a/`,
      `${applier} watch deployments.apps team-a/`,
      'jane impersonate serviceaccounts team-a/deployer',
    ].sort(),
  );
});

t.test('permissions: who may not impersonate the applier is not told which', async (t) => {
  const view = cluster([`${applier} create configmaps team-a/`, 'jane impersonate serviceaccounts team-a/deployer']);
  t.strictSame(await check({ permissions: 'warn' }, view), {
    ...NONE,
    warnings: ['permissions/missing : "deployer" lacks permissions that this Graph needs'],
  });
});

t.test('a ServiceAccount that does not exist', async (t) => {
  t.strictSame(await check({ missingServiceAccount: 'warn' }, cluster()), NONE);
  t.strictSame(await check({ missingServiceAccount: 'warn' }, cluster([], [])), {
    ...NONE,
    warnings: ['service-account/missing spec.serviceAccountName: the ServiceAccount "deployer" does not exist (yet)'],
  });
});

t.test('targets in other namespaces', async (t) => {
  t.strictSame(await check({ crossNamespace: 'deny' }, cluster()), {
    ...NONE,
    errors: ['target/cross-namespace spec.nodes[2].ref.metadata.namespace: this Secret is in another namespace, "kube-public"'],
  });
  t.strictSame(
    await check({ crossNamespace: 'deny' }, cluster(), { namespace: 'kube-public', targets: subject.targets.slice(2, 3) }),
    NONE,
  );
});

t.test('who may not act as the ServiceAccount', async (t) => {
  const view = cluster(['jane impersonate serviceaccounts team-a/deployer']);
  t.strictSame(await check({ serviceAccountCheck: 'deny' }, view), {
    ...NONE,
    errors: ['service-account/not-yours spec.serviceAccountName: you may not act as the ServiceAccount "deployer", as this Graph would'],
  });
});

t.test('an account needs no right to act as itself, as of a Graph that its Graph makes', async (t) => {
  const itself = { ...subject.requester, username: applier };
  t.strictSame(
    await check({ serviceAccountCheck: 'deny' }, cluster([`${applier} impersonate serviceaccounts team-a/deployer`]), {
      requester: itself,
    }),
    NONE,
  );
  const namesake = { ...subject.requester, username: applier.replace('team-a', 'team-b') };
  const refused = cluster([`${namesake.username} impersonate serviceaccounts team-a/deployer`]);
  t.equal(
    (await check({ serviceAccountCheck: 'deny' }, refused, { requester: namesake })).errors.length,
    1,
    'of another namespace it is another',
  );
});

t.test('of a Graph that is being deleted only the account is judged', async (t) => {
  const { errors } = await runChecks({
    subject,
    cluster: cluster([`${applier} create configmaps team-a/`], []),
    policies: { missingServiceAccount: 'deny', permissions: 'deny', crossNamespace: 'deny', serviceAccountCheck: 'deny' },
    onlyOfAccount: true,
    signal: within(200),
  });
  t.strictSame(
    errors.map(({ code }) => code),
    ['service-account/missing'],
  );
});

t.test('a cluster that does not answer in time: the check says so, and the others go on', async (t) => {
  const never = new Promise<never>(() => {});
  const view: ClusterView = { ...cluster([], []), isAllowed: () => never };
  t.strictSame(await check({ permissions: 'warn', serviceAccountCheck: 'deny', missingServiceAccount: 'deny' }, view), {
    errors: ['service-account/missing spec.serviceAccountName: the ServiceAccount "deployer" does not exist (yet)'],
    warnings: ['check/late : not checked in time: the permissions of the ServiceAccount'],
    unanswered: ['check/late : not checked in time: whether you may act as the ServiceAccount'],
  });
});

const refusals: [string, Error, string][] = [
  [
    'a refusal',
    new ApiError({ code: 403, reason: 'Forbidden', message: 'no', causes: [], name: '', about: '', retryAfter: undefined }),
    'check/unanswered : not checked (Forbidden): whether the ServiceAccount exists',
  ],
  [
    'no connection',
    new ConnectionError('ECONNREFUSED', { failure: 'unreachable', mayHaveRun: false }),
    'check/unanswered : not checked (no connection): whether the ServiceAccount exists',
  ],
];

for (const [title, error, expected] of refusals) {
  t.test(`${title} instead of an answer`, async (t) => {
    const view: ClusterView = { ...cluster(), accountExists: () => Promise.reject(error) };
    t.strictSame(await check({ missingServiceAccount: 'warn' }, view), { ...NONE, warnings: [expected] });
  });
}

t.test('a fault of our own is not taken for an answer', async (t) => {
  const view: ClusterView = { ...cluster(), accountExists: () => Promise.reject(new TypeError('bug')) };
  await t.rejects(check({ missingServiceAccount: 'warn' }, view), { name: 'TypeError' });
});
