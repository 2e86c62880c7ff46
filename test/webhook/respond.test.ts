import t from 'tap';
import { type Diagnostic, defineDiagnostic } from '../../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../../src/diagnostic/path.ts';
import { decode } from '../../webhook/decode.ts';
import { respond } from '../../webhook/respond.ts';
import type { Verdict } from '../../webhook/verdict.ts';
import { makeGraph, makeReview, toBytes } from '../support/admission.ts';

const unknown = defineDiagnostic({
  code: 'reference/unknown',
  severity: 'error',
  message: ({ id }: { id: string }) => `unknown name "${id}"`,
  hint: () => 'did you mean "settings"?',
});
const unserved = defineDiagnostic({
  code: 'kind/unserved',
  severity: 'warning',
  message: ({ kind }: { kind: string }) => `the cluster does not serve ${kind}`,
});

const title = FieldPath.of('spec', 'nodes', 1, 'def', 'title');
const reference = unknown({ id: 'setting' }, { path: title, expression: 'setting.title', span: { start: 0, end: 7 } });
const bare = unknown({ id: 'x' }, { path: FieldPath.of('spec', 'nodes', 0, 'def', 'a') });
const warning = unserved({ kind: 'example.dev/v1 Gizmo' }, { path: FieldPath.of('spec', 'nodes', 0, 'template') });

const create = decode(toBytes(makeReview()));
const generated = decode(toBytes(makeReview({ name: undefined })));
const update = decode(toBytes(makeReview({ operation: 'UPDATE', oldObject: makeGraph() })));

const uid = '705ab4f5-6393-11e8-b7cc-42010a800002';
const details = { name: 'web', group: 'kro.run', kind: 'Graph' };
const referenceText = 'unknown name "setting" in ${setting.title} at 1 (did you mean "settings"?)';
const bareText = 'unknown name "x" (did you mean "settings"?)';
const causes = [
  { reason: 'reference/unknown', field: 'spec.nodes[0].def.a', message: bareText },
  { reason: 'reference/unknown', field: 'spec.nodes[1].def.title', message: referenceText },
];

const rows: [string, typeof create, Verdict, unknown][] = [
  ['allowed', create, { word: 'allowed', warnings: [] }, { uid, allowed: true }],
  [
    'allowed with a warning',
    create,
    { word: 'allowed', warnings: [warning] },
    { uid, allowed: true, warnings: ['kind/unserved: the cluster does not serve example.dev/v1 Gizmo (spec.nodes[0].template)'] },
  ],
  [
    'a create with one error is Invalid, with the warnings beside it',
    create,
    { word: 'denied', errors: [reference], warnings: [warning] },
    {
      uid,
      allowed: false,
      status: {
        status: 'Failure',
        code: 422,
        reason: 'Invalid',
        message: `the Graph "web" has an error:\n* spec.nodes[1].def.title: ${referenceText}`,
        details: { ...details, causes: causes.slice(1) },
      },
      warnings: ['kind/unserved: the cluster does not serve example.dev/v1 Gizmo (spec.nodes[0].template)'],
    },
  ],
  [
    'an update with two errors is a BadRequest that lists both, in path order',
    update,
    { word: 'denied', errors: [reference, bare], warnings: [] },
    {
      uid,
      allowed: false,
      status: {
        status: 'Failure',
        code: 400,
        reason: 'BadRequest',
        message: `the Graph "web" has 2 errors:\n* spec.nodes[0].def.a: ${bareText}\n* spec.nodes[1].def.title: ${referenceText}`,
        details: { ...details, causes },
      },
    },
  ],
  [
    'a Graph whose name is still to be generated',
    generated,
    { word: 'denied', errors: [bare], warnings: [] },
    {
      uid,
      allowed: false,
      status: {
        status: 'Failure',
        code: 422,
        reason: 'Invalid',
        message: `the Graph has an error:\n* spec.nodes[0].def.a: ${bareText}`,
        details: { ...details, name: '', causes: causes.slice(0, 1) },
      },
    },
  ],
  [
    'no verdict in time, neither Invalid nor a conflict',
    update,
    { word: 'undecided', isLate: true, why: unserved({ kind: 'x' }, { path: FieldPath.root }) },
    { uid, allowed: false, status: { status: 'Failure', code: 504, reason: 'Timeout', message: 'the cluster does not serve x' } },
  ],
  [
    'no schemas',
    create,
    { word: 'undecided', isLate: false, why: unserved({ kind: 'x' }, { path: FieldPath.root }) },
    {
      uid,
      allowed: false,
      status: { status: 'Failure', code: 503, reason: 'ServiceUnavailable', message: 'the cluster does not serve x' },
    },
  ],
];

for (const [title, request, verdict, response] of rows) {
  t.test(title, (t) => {
    t.strictSame(respond(request, verdict), { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
    t.end();
  });
}

t.test('no text of a denial says the words at which tools delete the object', (t) => {
  const path = FieldPath.of('spec', 'nodes', 0, 'template', 'immutable');
  const error = unknown({ id: 'field is immutable' }, { path, expression: 'Immutable field' });
  const { status } = respond(update, { word: 'denied', errors: [error], warnings: [] }).response;
  t.notMatch([status?.message, status?.details?.causes[0]?.message].join('\n'), /is\s+immutable|immutable\s+field/i);
  t.match(status?.message, /^\* spec\.nodes\[0\]\.template\.immutable: unknown name "field is im\u00ADmutable" in /m);
  t.end();
});

t.test('more errors than an answer holds are cut, and counted', (t) => {
  const errors: Diagnostic[] = Array.from({ length: 20_000 }, (_, index) =>
    unknown({ id: `name${index}` }, { path: FieldPath.of('spec', 'nodes', index, 'def', 'a') }),
  );
  const answer = respond(create, { word: 'denied', errors, warnings: [] });
  const causes = answer.response.status?.details?.causes ?? [];
  const listed = causes.length - 1;
  t.ok(listed > 5000 && listed < 20_000, `${listed} are listed`);
  t.strictSame(causes.at(-1), { reason: 'limit/errors', field: '', message: `and ${20_000 - listed} more errors, which do not fit here` });
  t.match(answer.response.status?.message, /^the Graph "web" has 20000 errors:\n/);
  t.ok(JSON.stringify(answer).length < 3 * 1024 * 1024, 'the API server takes the answer');
  t.end();
});
