import type { JsonObject, JsonValue } from '../../src/api/object.ts';

/** A review as the API server writes it, with the members that a row changes; a member that is undefined is left out. */
export function makeReview(request: Readonly<Record<string, JsonValue | undefined>> = {}): JsonObject {
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: withoutUndefined({
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      kind: { group: 'kro.run', version: 'v1alpha1', kind: 'Graph' },
      resource: { group: 'kro.run', version: 'v1alpha1', resource: 'graphs' },
      requestKind: { group: 'kro.run', version: 'v1alpha1', kind: 'Graph' },
      name: 'web',
      namespace: 'team-a',
      operation: 'CREATE',
      userInfo: { username: 'jane', groups: ['system:authenticated'] },
      object: makeGraph(),
      oldObject: null,
      dryRun: false,
      options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions', fieldManager: 'kubectl-client-side-apply' },
      ...request,
    }),
  };
}

/** A Graph of one def, with another spec and metadata where a row needs it. */
export function makeGraph({ spec, metadata }: { spec?: JsonObject; metadata?: JsonObject } = {}): JsonObject {
  return {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'Graph',
    metadata: { name: 'web', namespace: 'team-a', ...metadata },
    spec: spec ?? { nodes: [{ id: 'settings', def: { title: 'blue' } }] },
  };
}

/** JSON as bytes. */
export function toBytes(value: JsonValue): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

function withoutUndefined(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

/** A signal that aborts after so many milliseconds, and keeps the test running until then. */
export function within(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}
