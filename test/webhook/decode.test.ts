import t from 'tap';
import type { JsonValue } from '../../src/api/object.ts';
import { BadReview, decode } from '../../webhook/decode.ts';
import { makeGraph, makeReview, toBytes } from '../support/admission.ts';

t.test('a review of a create', (t) => {
  const graph = makeGraph();
  t.strictSame(decode(toBytes(makeReview({ object: graph, dryRun: true }))), {
    uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
    operation: 'CREATE',
    kind: { group: 'kro.run', version: 'v1alpha1', kind: 'Graph' },
    subresource: '',
    namespace: 'team-a',
    name: 'web',
    dryRun: true,
    user: { username: 'jane', uid: '', groups: ['system:authenticated'], extra: {} },
    fieldManager: 'kubectl-client-side-apply',
    object: graph,
    oldObject: undefined,
  });
  t.end();
});

t.test('integers of the object stay exact', (t) => {
  const text = JSON.stringify(makeReview()).replace('"blue"', '9007199254740993');
  t.strictSame(decode(Buffer.from(text)).object?.['spec'], { nodes: [{ id: 'settings', def: { title: 9007199254740993n } }] });
  t.end();
});

t.test('an object without a name, to be generated', (t) => {
  t.equal(decode(toBytes(makeReview({ name: undefined }))).name, '');
  t.end();
});

const review = (members: Record<string, JsonValue>): Uint8Array => toBytes({ ...makeReview(), ...members });
const request = (members: Record<string, JsonValue | undefined>): Uint8Array => toBytes(makeReview(members));

const refusals: [string, Uint8Array, string][] = [
  ['no bytes', new Uint8Array(), 'the body is refused: not JSON: the text ends too early'],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'the body is not valid UTF-8'],
  ['half a character', Buffer.from('"é"').subarray(0, 2), 'the body is not valid UTF-8'],
  ['a byte order mark', Buffer.from('\uFEFF{}'), 'the body begins with a byte order mark, which JSON forbids'],
  ['a list', toBytes([]), 'the body: expected an object, found a list'],
  ['another kind', review({ kind: 'TokenReview' }), 'kind: expected "AdmissionReview", found "TokenReview"'],
  [
    'an older version',
    review({ apiVersion: 'admission.k8s.io/v1beta1' }),
    'apiVersion: expected "admission.k8s.io/v1", found "admission.k8s.io/v1beta1"',
  ],
  ['no version', review({ apiVersion: null }), 'apiVersion: expected "admission.k8s.io/v1", found null'],
  ['no request', review({ request: null }), 'request: expected an object, found null'],
  ['no uid', request({ uid: undefined }), 'request.uid: expected a text, found ""'],
  ['a uid of another type', request({ uid: 7 }), 'request.uid: expected a text, found a number'],
  [
    'an unknown operation',
    request({ operation: 'TELEPORT' }),
    'request.operation: expected one of CREATE, UPDATE, DELETE, CONNECT, found "TELEPORT"',
  ],
  ['a create of nothing', request({ object: null }), 'request.object: expected an object on CREATE, found null'],
  ['an update of nothing', request({ operation: 'UPDATE' }), 'request.oldObject: expected an object on UPDATE, found null'],
  ['an object that is a list', request({ object: [] }), 'request.object: expected an object, found a list'],
  ['no kind', request({ kind: undefined }), 'request.kind: expected an object, found nothing'],
  ['groups of another type', request({ userInfo: { groups: [1] } }), 'request.userInfo.groups: expected a text, found a number'],
  ['a long value of another kind', review({ kind: 'x'.repeat(100) }), 'kind: expected "AdmissionReview", found a longer text'],
];

for (const [title, bytes, message] of refusals) {
  t.test(`refused: ${title}`, (t) => {
    t.throws(() => decode(bytes), new BadReview(400, message));
    t.end();
  });
}

t.test('whatever the bytes: a request or a BadReview, never another error', (t) => {
  const random = seeded(20260101);
  const seeds = [
    JSON.stringify(makeReview()),
    JSON.stringify(makeReview({ operation: 'UPDATE', oldObject: makeGraph(), dryRun: true })),
    JSON.stringify(makeReview({ object: JSON.parse('{"a":{"b":[[[[[[["x"]]]]]]],"c":9007199254740993}}') })),
  ].map((text) => Buffer.from(text));
  const outcomes = { requests: 0, refused: 0 };
  for (let round = 0; round < 30_000; round++) {
    const bytes = mutate(seeds[round % seeds.length] ?? Buffer.alloc(0), random);
    try {
      decode(bytes);
      outcomes.requests++;
    } catch (error) {
      if (!(error instanceof BadReview) || error.status !== 400 || error.message === '') throw error;
      outcomes.refused++;
    }
  }
  t.ok(outcomes.requests > 1000 && outcomes.refused > 10_000, `both happen: ${JSON.stringify(outcomes)}`);
  t.end();
});

/** Flips, inserts, deletes, repeats or cuts a few bytes. */
function mutate(seed: Buffer, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(seed);
  for (let count = 1 + random(3); count > 0; count--) {
    const at = random(bytes.length + 1);
    const rest = bytes.subarray(at);
    switch (random(6)) {
      case 0:
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([random(256)]), rest.subarray(1)]);
        break;
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from('{}[]",:\\0ntf-e'.charAt(random(14))), rest]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), rest.subarray(random(8))]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), rest.subarray(0, random(20)), rest]);
        break;
      case 4:
        bytes = Buffer.from(bytes.subarray(0, at));
        break;
      default:
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from('[{"a":'.repeat(random(50))), rest]);
    }
  }
  return bytes;
}

/** A small generator of numbers, the same in each run. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
