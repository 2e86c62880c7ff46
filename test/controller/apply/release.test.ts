import t from 'tap';
import { type Release, release } from '../../../controller/apply/release.ts';
import { Ledger } from '../../../controller/inventory/ledger.ts';
import type { ActingContext, Served } from '../../../controller/reconcile/context.ts';
import { GraphMemory } from '../../../controller/reconcile/memory.ts';
import type { Coverage } from '../../../controller/watch/coverage.ts';
import type { Contribution } from '../../../src/api/graph.ts';
import { patchManager } from '../../../src/api/names.ts';
import type { JsonObject, KubeObject } from '../../../src/api/object.ts';
import type { KubeClient, ObjectRef } from '../../../src/kube/client.ts';
import { ApiError } from '../../../src/kube/error.ts';
import type { ResourceSchema } from '../../../src/schema/snapshot.ts';
import { stub } from '../../support/stub.ts';

const UID = 'b5f1d1c6-0000-4000-8000-000000000000';
const MANAGER = patchManager(UID, ['p']);
const PUMP: Contribution = { apiVersion: 'example.com/v1', kind: 'Pump', namespace: 'n', name: 'one', fieldManager: MANAGER };
const STATUS: Contribution = { ...PUMP, subresource: 'status' };
const SERVED = { word: 'served', plural: 'pumps', namespaced: true } as const;
const served = (version: string): Served => ({ ...SERVED, kind: { group: 'example.com', version, kind: 'Pump' } });

const notFound = (name: string, about: string): ApiError =>
  new ApiError({ code: 404, reason: 'NotFound', message: '', causes: [], name, about, retryAfter: undefined });
const GONE = notFound('one', 'pumps');
const UNSERVED = notFound('', '');

function pump(fieldsV1: JsonObject, subresource?: string): KubeObject {
  const where = subresource === undefined ? {} : { subresource };
  const entry = { manager: MANAGER, operation: 'Apply', apiVersion: 'example.com/v1', fieldsV1, ...where } as const;
  const metadata = { name: 'one', namespace: 'n', uid: 'u1', resourceVersion: '7', managedFields: [entry] };
  return { apiVersion: 'example.com/v1', kind: 'Pump', metadata, spec: { a: 'x' }, status: { b: 'y' } };
}
const PATCHED = pump({ 'f:spec': { 'f:a': {} } });
const REPORTED = pump({ 'f:status': { 'f:b': {} } }, 'status');
const OTHERS: KubeObject = { ...PATCHED, metadata: { ...PATCHED.metadata, managedFields: [] } };

/** What is answered, by request (`get v1`, `apply v1/status`), and by discovery. */
interface Cluster {
  /** What the process before this one has left, and how long ago. */
  readonly inherited?: { readonly contributions: readonly Contribution[]; readonly ago: number };
  readonly answers: Readonly<Record<string, KubeObject | ApiError>>;
  readonly versions?: Readonly<Record<'known' | 'current', Served>>;
  readonly hasStatus?: boolean;
}

/** Releases one contribution, of which the watches know that there is no object; tells what was asked for too. */
async function releaseIn(entry: Contribution, cluster: Cluster): Promise<readonly [word: string, requests: readonly string[]]> {
  const requests: string[] = [];
  const answer = (verb: string, { version }: ObjectRef, subresource = ''): KubeObject => {
    const request = `${verb} ${version}${subresource === '' ? '' : `/${subresource}`}`;
    requests.push(request);
    const given = cluster.answers[request];
    if (given === undefined || given instanceof Error) throw given ?? new Error(`the test does not expect ${request}`);
    return given;
  };
  const written = (object: KubeObject) => ({ object, isCreated: false, warnings: [] });
  const context = stub<ActingContext>('context', {
    applier: stub<KubeClient>('applier', {
      get: async (ref) => answer('get', ref),
      getMetadata: async (ref) => answer('getMetadata', ref),
      apply: async (ref, _manifest, { subresource }) => written(answer('apply', ref, subresource)),
      patch: async (ref, { body }, options) => {
        requests.push(JSON.stringify(body));
        return written(answer('patch', ref, options?.subresource));
      },
    }),
    graphUid: UID,
    ledger: new Ledger({ contributions: [entry] }),
    memory: new GraphMemory(UID, { contributions: cluster.inherited?.contributions ?? [], now: -(cluster.inherited?.ago ?? 0) }),
    coverage: stub<Coverage>('coverage', { object: async () => ({ isKnown: true, record: undefined }), observe: () => {} }),
    resolveServed: async (_kind, least = 'known') => cluster.versions?.[least] ?? served('v1'),
    resolveKind: async (kind): Promise<ResourceSchema> => {
      const { hasStatus = true } = cluster;
      return { kind, plural: 'pumps', namespaced: true, verbs: new Set(), hasStatus, schema: undefined, hash: '' };
    },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    signal: new AbortController().signal,
    now: () => 0,
  });
  const { word } = await release(entry, context);
  return [word, requests];
}

const REMOVAL = JSON.stringify([
  { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
  { op: 'replace', path: '/metadata/managedFields', value: [{}] },
  { op: 'remove', path: '/status/b' },
]);

const rows: readonly [title: string, entry: Contribution, cluster: Cluster, word: Release['word'], requests: readonly string[]][] = [
  ['an object that is not there has nothing of ours', PUMP, { answers: { 'get v1': GONE } }, 'released', ['get v1']],
  ['nor has one whose namespace is not there', PUMP, { answers: { 'get v1': notFound('n', 'namespaces') } }, 'released', ['get v1']],
  [
    'a watch is not believed that there is no object',
    PUMP,
    { answers: { 'get v1': PATCHED, 'apply v1': PATCHED } },
    'released',
    ['get v1', 'apply v1'],
  ],
  [
    'of a version that is no longer served it is released in another',
    PUMP,
    { answers: { 'get v1': UNSERVED, 'get v2': PATCHED, 'apply v2': PATCHED }, versions: { known: served('v1'), current: served('v2') } },
    'released',
    ['get v1', 'get v2', 'apply v2'],
  ],
  ['while discovery is late with that it is tried again', PUMP, { answers: { 'get v1': UNSERVED } }, 'unproved', ['get v1', 'get v1']],
  [
    'a kind that is no longer served has no objects',
    PUMP,
    { answers: { 'get v1': UNSERVED }, versions: { known: served('v1'), current: { word: 'unserved' } } },
    'released',
    ['get v1'],
  ],
  [
    'one whose server does not answer may have some',
    PUMP,
    { answers: { 'get v1': UNSERVED }, versions: { known: served('v1'), current: { word: 'unavailable' } } },
    'refused',
    ['get v1'],
  ],
  [
    'an object that goes meanwhile takes ours with it',
    PUMP,
    { answers: { 'get v1': PATCHED, 'apply v1': GONE, 'getMetadata v1': GONE } },
    'released',
    ['get v1', 'apply v1', 'getMetadata v1'],
  ],
  [
    'a status that is no subresource any more is released as a field',
    STATUS,
    { answers: { 'get v1': REPORTED, 'apply v1/status': GONE, 'getMetadata v1': REPORTED, 'patch v1': REPORTED }, hasStatus: false },
    'released',
    ['get v1', 'apply v1/status', 'getMetadata v1', 'get v1', REMOVAL, 'patch v1'],
  ],
  [
    'while discovery is late with that, a status is tried again',
    STATUS,
    { answers: { 'get v1': REPORTED, 'apply v1/status': GONE, 'getMetadata v1': REPORTED }, hasStatus: true },
    'unproved',
    ['get v1', 'apply v1/status', 'getMetadata v1'],
  ],
  [
    'fields that are not there may be on their way from a process that was killed',
    PUMP,
    { answers: { 'get v1': OTHERS }, inherited: { contributions: [PUMP], ago: 9_000 } },
    'unproved',
    ['get v1'],
  ],
  [
    'they are not for ever',
    PUMP,
    { answers: { 'get v1': OTHERS }, inherited: { contributions: [PUMP], ago: 10_000 } },
    'released',
    ['get v1'],
  ],
  ['nor if that process knew nothing of them', PUMP, { answers: { 'get v1': OTHERS } }, 'released', ['get v1']],
  [
    'fields that are there have arrived',
    PUMP,
    { answers: { 'get v1': PATCHED, 'apply v1': OTHERS }, inherited: { contributions: [PUMP], ago: 0 } },
    'released',
    ['get v1', 'apply v1'],
  ],
  [
    'of an object that is not there nothing can arrive',
    PUMP,
    { answers: { 'get v1': GONE }, inherited: { contributions: [PUMP], ago: 0 } },
    'released',
    ['get v1'],
  ],
];
for (const [title, entry, cluster, word, requests] of rows)
  t.test(title, async (t) => t.same(await releaseIn(entry, cluster), [word, requests]));
