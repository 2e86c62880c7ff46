import t from 'tap';
import type { JsonValue, ResourceKind } from '../../src/api/object.ts';
import { printResourceKind } from '../../src/api/object.ts';
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../../src/diagnostic/path.ts';
import { ApiError, ConnectionError } from '../../src/kube/error.ts';
import { type AdmitContext, admit, type Compiler, type Schemas } from '../../webhook/admit.ts';
import { NotCompiled } from '../../webhook/compile-pool.ts';
import { decode } from '../../webhook/decode.ts';
import { makeGraph, makeReview, toBytes, within } from '../support/admission.ts';
import { testSnapshot } from '../support/schemas.ts';

const wrong: Diagnostic = { code: 'reference/unknown', severity: 'error', path: FieldPath.of('spec', 'nodes', 0), message: 'unknown "x"' };
const unserved: Diagnostic = { code: 'kind/unserved', severity: 'warning', path: FieldPath.of('spec', 'nodes', 0), message: 'no Gizmo' };
const unservedWidget: Diagnostic = { ...unserved, path: FieldPath.of('spec', 'nodes', 0, 'template', 'kind') };
const unservedGraph: Diagnostic = { ...unserved, path: FieldPath.of('spec', 'nodes', 1, 'graph', 'nodes', 0, 'ref', 'kind') };
const hidden: Diagnostic = { code: 'iterator/hides', severity: 'warning', path: FieldPath.of('spec', 'nodes', 1), message: 'hides "x"' };

const widget = { id: 'w', template: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } } };
const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' };
const nestedGizmo = {
  id: 'g',
  graph: { nodes: [{ id: 'z', ref: { apiVersion: 'example.org/v1', kind: 'Gizmo', metadata: { name: 'z' } } }] },
};
const page = { id: 'p', template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'p' } } };

interface Scene {
  readonly context: AdmitContext;
  /** What was done, in order. */
  readonly done: string[];
}

interface SceneOptions {
  /** What each compilation finds; the last one stays. */
  readonly compiled?: readonly (readonly Diagnostic[] | Error)[];
  /** The version of the schemas at each load and reload. */
  readonly versions?: readonly (string | Error)[];
  readonly context?: Partial<AdmitContext>;
  readonly policies?: Partial<AdmitContext['policies']>;
  readonly accounts?: readonly string[];
  readonly unavailable?: readonly ResourceKind[];
}

function scene({
  compiled = [[]],
  versions = ['1'],
  context = {},
  policies = {},
  accounts = ['team-a/default'],
  unavailable = [],
}: SceneOptions): Scene {
  const done: string[] = [];
  const nth = <T>(list: readonly T[], made: number): T => list[Math.min(made, list.length - 1)] as T;
  const counts = { loads: 0, compiles: 0 };
  const next = async (kinds: readonly ResourceKind[], word: string) => {
    done.push([word, ...kinds.map(printResourceKind)].join(' '));
    const version = nth(versions, counts.loads++);
    if (version instanceof Error) throw version;
    return { snapshot: testSnapshot(), parts: [{ hash: version, bytes: new SharedArrayBuffer(0) }], unavailable };
  };
  const schemas: Schemas = {
    load: (kinds) => next(kinds, 'load'),
    reload: (kinds) => next(kinds, 'reload'),
  };
  const compiler: Compiler = {
    compile: async ({ parts }) => {
      done.push(`compile ${parts.map(({ hash }) => hash)}`);
      const result = nth(compiled, counts.compiles++);
      if (result instanceof Error) throw result;
      return result;
    },
  };
  return {
    done,
    context: {
      schemas,
      compiler,
      cluster: {
        isAllowed: async () => true,
        accountExists: async (namespace, name) => accounts.includes(`${namespace}/${name}`),
      },
      policies: {
        unknownKinds: 'warn',
        missingServiceAccount: 'warn',
        permissions: 'warn',
        crossNamespace: 'warn',
        serviceAccountCheck: 'off',
        ...policies,
      },
      onDeadline: 'deny',
      releaseAccounts: [{ namespace: 'kro-system', name: 'kro-graph-controller' }],
      unservedCodes: new Set(['kind/unserved']),
      onTrouble: (error) => done.push(`trouble ${error instanceof Error ? error.name : ''}`),
      ...context,
    },
  };
}

async function judge(scene: Scene, members: Record<string, JsonValue | undefined> = {}, signal = AbortSignal.timeout(5000)) {
  const review = toBytes(makeReview(members));
  const verdict = await admit({ request: decode(review), review, signal, compileSignal: signal }, scene.context);
  const codes = (list: readonly Diagnostic[]): string[] => list.map(({ code }) => code);
  switch (verdict.word) {
    case 'allowed':
      return ['allowed', [], codes(verdict.warnings)];
    case 'denied':
      return ['denied', codes(verdict.errors), codes(verdict.warnings)];
    default:
      return [verdict.isLate ? 'late' : 'unreadable', [verdict.why.code], []];
  }
}

const withNodes = (...nodes: JsonValue[]) => ({ object: makeGraph({ spec: { nodes } }) });
const child = { options: { fieldManager: 'kro-graphengine.tmpl.0123456789ab' }, userInfo: { username: 'system:serviceaccount:team-a:x' } };
const own = {
  namespace: 'kro-system',
  object: makeGraph({ spec: { nodes: [page], serviceAccountName: 'kro-graph-controller' } }),
};
const unreachable = new ConnectionError('ECONNREFUSED', { failure: 'unreachable', mayHaveRun: false });
const refused = new ApiError({ code: 503, reason: 'ServiceUnavailable', message: '', causes: [], name: '', about: '', retryAfter: 1 });

const rows: [string, SceneOptions, Record<string, JsonValue | undefined>, unknown, string[]][] = [
  ['a right Graph', {}, withNodes(page), ['allowed', [], []], ['load v1 ConfigMap', 'compile 1']],
  ['warnings pass', { compiled: [[hidden]] }, withNodes(page), ['allowed', [], ['iterator/hides']], ['load v1 ConfigMap', 'compile 1']],
  [
    'a wrong Graph of built-in kinds is denied at once',
    { compiled: [[wrong, hidden]] },
    withNodes(page),
    ['denied', ['reference/unknown'], ['iterator/hides']],
    ['load v1 ConfigMap', 'compile 1'],
  ],
  [
    'before a denial a custom kind is read again; the same schema is not compiled twice',
    { compiled: [[wrong]] },
    withNodes(page, widget),
    ['denied', ['reference/unknown'], []],
    ['load v1 ConfigMap example.com/v1 Widget', 'compile 1', 'reload v1 ConfigMap example.com/v1 Widget'],
  ],
  [
    'before a denial a custom kind is read again; with its new schema the Graph is right',
    { compiled: [[wrong], []], versions: ['1', '2'] },
    withNodes(widget),
    ['allowed', [], []],
    ['load example.com/v1 Widget', 'compile 1', 'reload example.com/v1 Widget', 'compile 2'],
  ],
  [
    'a kind that is not served warns',
    { compiled: [[unserved]] },
    withNodes(page),
    ['allowed', [], ['kind/unserved']],
    ['load v1 ConfigMap', 'compile 1'],
  ],
  [
    'a kind that is not served, by policy off',
    { compiled: [[unserved]], policies: { unknownKinds: 'off' } },
    withNodes(page),
    ['allowed', [], []],
    ['load v1 ConfigMap', 'compile 1'],
  ],
  [
    'a kind that is not served, by policy deny, is looked for again',
    { compiled: [[unserved], []], versions: ['1', '2'], policies: { unknownKinds: 'deny' } },
    withNodes(widget),
    ['allowed', [], []],
    ['load example.com/v1 Widget', 'compile 1', 'reload example.com/v1 Widget', 'compile 2'],
  ],
  [
    'a kind that is not served, by policy deny',
    { compiled: [[unserved]], policies: { unknownKinds: 'deny' } },
    withNodes(page),
    ['denied', ['kind/unserved'], []],
    ['load v1 ConfigMap', 'compile 1'],
  ],
  [
    'a kind whose server does not answer is no unknown kind: it warns',
    { compiled: [[unservedWidget, unservedGraph]], unavailable: [WIDGET] },
    withNodes(widget, nestedGizmo),
    ['allowed', [], ['kind/unserved', 'kind/unavailable']],
    ['load example.com/v1 Widget example.org/v1 Gizmo', 'compile 1'],
  ],
  [
    'a kind whose server does not answer, by policy deny: it is told that this was not checked',
    { compiled: [[unservedWidget]], unavailable: [WIDGET], policies: { unknownKinds: 'deny' } },
    withNodes(widget),
    ['unreadable', ['kind/unavailable'], []],
    ['load example.com/v1 Widget', 'compile 1'],
  ],
  [
    'a kind whose server does not answer, by policy deny, and what is not checked warns',
    { compiled: [[unservedWidget]], unavailable: [WIDGET], policies: { unknownKinds: 'deny' }, context: { onDeadline: 'warn' } },
    withNodes(widget),
    ['allowed', [], ['kind/unavailable']],
    ['load example.com/v1 Widget', 'compile 1'],
  ],
  [
    'a kind whose server does not answer beside one that is not served, by policy deny',
    { compiled: [[unservedWidget, unservedGraph]], unavailable: [WIDGET], policies: { unknownKinds: 'deny' } },
    withNodes(widget, nestedGizmo),
    ['denied', ['kind/unserved'], []],
    ['load example.com/v1 Widget example.org/v1 Gizmo', 'compile 1', 'reload example.com/v1 Widget example.org/v1 Gizmo'],
  ],
  [
    'a kind whose server does not answer, by policy off',
    { compiled: [[unservedWidget]], unavailable: [WIDGET], policies: { unknownKinds: 'off' } },
    withNodes(widget),
    ['allowed', [], []],
    ['load example.com/v1 Widget', 'compile 1'],
  ],
  [
    'a stamped child only warns of what is wrong',
    { compiled: [[wrong]] },
    { ...withNodes(page), ...child },
    ['allowed', [], ['reference/unknown']],
    ['load v1 ConfigMap', 'compile 1'],
  ],
  [
    'a stamped child is held to policies that deny',
    { compiled: [[wrong, unserved]], policies: { unknownKinds: 'deny', missingServiceAccount: 'deny' }, accounts: [] },
    { ...withNodes(page), ...child },
    ['denied', ['kind/unserved', 'service-account/missing'], ['reference/unknown']],
    ['load v1 ConfigMap', 'compile 1'],
  ],
  [
    "the release's own account is refused, beside all other errors",
    { compiled: [[wrong]], accounts: ['kro-system/kro-graph-controller'] },
    own,
    ['denied', ['service-account/of-release', 'reference/unknown'], []],
    ['load v1 ConfigMap', 'compile 1'],
  ],
  [
    "the release's own account is refused to a stamped child too",
    { accounts: ['kro-system/kro-graph-controller'] },
    { ...own, ...child },
    ['denied', ['service-account/of-release'], []],
    ['load v1 ConfigMap', 'compile 1'],
  ],
  [
    "the release's own account is refused when nothing can be read",
    { versions: [unreachable], context: { onDeadline: 'warn' } },
    own,
    ['denied', ['service-account/of-release'], []],
    ['load v1 ConfigMap', 'trouble ConnectionError'],
  ],
  [
    "an account of the same name elsewhere is not the release's own",
    { accounts: ['team-a/kro-graph-controller'] },
    { ...own, namespace: 'team-a' },
    ['allowed', [], []],
    ['load v1 ConfigMap', 'compile 1'],
  ],
  [
    'a change to the account of the release, of a Graph that is being deleted',
    { accounts: [] },
    {
      operation: 'UPDATE',
      namespace: 'kro-system',
      object: makeGraph({ metadata: { deletionTimestamp: 'now' }, spec: { nodes: [page], serviceAccountName: 'kro-graph-controller' } }),
      oldObject: makeGraph({ metadata: { deletionTimestamp: 'now' }, spec: { nodes: [page] } }),
    },
    ['denied', ['service-account/of-release'], ['service-account/missing']],
    [],
  ],
  ['an unchanged spec', { compiled: [[wrong]] }, { operation: 'UPDATE', oldObject: makeGraph() }, ['allowed', [], []], []],
  [
    'no schemas',
    { versions: [unreachable] },
    withNodes(page),
    ['unreadable', ['schema/unreadable'], []],
    ['load v1 ConfigMap', 'trouble ConnectionError'],
  ],
  [
    'schemas refused',
    { versions: [refused] },
    withNodes(page),
    ['unreadable', ['schema/unreadable'], []],
    ['load v1 ConfigMap', 'trouble ApiError'],
  ],
  [
    'no schemas, and the policy is to warn',
    { versions: [unreachable], context: { onDeadline: 'warn' } },
    withNodes(page),
    ['allowed', [], ['schema/unreadable']],
    ['load v1 ConfigMap', 'trouble ConnectionError'],
  ],
  [
    'no schemas for a stamped child',
    { versions: [unreachable] },
    { ...withNodes(page), ...child },
    ['allowed', [], ['schema/unreadable']],
    ['load v1 ConfigMap', 'trouble ConnectionError'],
  ],
  [
    'a denial cannot be made sure',
    { compiled: [[wrong]], versions: ['1', unreachable] },
    withNodes(widget),
    ['unreadable', ['schema/unreadable'], []],
    ['load example.com/v1 Widget', 'compile 1', 'reload example.com/v1 Widget', 'trouble ConnectionError'],
  ],
  [
    'a late compilation',
    { compiled: [new NotCompiled('late', 'compiling took too long')] },
    withNodes(page),
    ['late', ['limit/deadline'], []],
    ['load v1 ConfigMap', 'compile 1', 'trouble NotCompiled'],
  ],
  [
    'a compilation that takes too much memory, and the policy is to warn',
    { compiled: [new NotCompiled('exhausted', 'too large')], context: { onDeadline: 'warn' } },
    withNodes(page),
    ['allowed', [], ['limit/deadline']],
    ['load v1 ConfigMap', 'compile 1', 'trouble NotCompiled'],
  ],
];

for (const [title, options, members, expected, done] of rows) {
  t.test(title, async (t) => {
    const made = scene(options);
    t.strictSame(await judge(made, members), expected);
    t.strictSame(made.done, done);
  });
}

t.test('a check whose policy is deny and that is late leaves no verdict, or a warning', async (t) => {
  const cluster = { isAllowed: () => new Promise<never>(() => {}), accountExists: async () => true };
  for (const [onDeadline, expected] of [
    ['deny', ['late', ['check/late'], []]],
    ['warn', ['allowed', [], ['check/late']]],
  ] as const) {
    const made = scene({ context: { cluster, onDeadline }, policies: { serviceAccountCheck: 'deny', permissions: 'off' } });
    t.strictSame(await judge(made, withNodes(page), within(100)), expected, onDeadline);
  }
});

t.test('a compilation that uses up its share leaves time for the checks', async (t) => {
  const compiler: Compiler = {
    compile: (_job, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new NotCompiled('late', 'compiling took too long')));
      }),
  };
  const made = scene({ context: { compiler, onDeadline: 'warn' }, accounts: [] });
  const review = toBytes(makeReview(withNodes(page)));
  const admission = { request: decode(review), review, signal: AbortSignal.timeout(10_000), compileSignal: within(50) };
  t.match(await admit(admission, made.context), {
    word: 'allowed',
    warnings: [{ code: 'limit/deadline' }, { code: 'service-account/missing' }],
  });
});

t.test('faults of our own end the request, and are no verdict', async (t) => {
  await t.rejects(judge(scene({ compiled: [new NotCompiled('failed', 'the compiler threw')] })), { name: 'NotCompiled' });
  await t.rejects(judge(scene({ versions: [new TypeError('bug')] })), { name: 'TypeError' });
});
