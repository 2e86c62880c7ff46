import t from 'tap';
import { giveWay } from '../../../controller/apply/give-way.ts';
import type { TemplateItem, Work } from '../../../controller/apply/item.ts';
import { Ledger } from '../../../controller/inventory/ledger.ts';
import { Made } from '../../../controller/inventory/made.ts';
import type { ReconcileContext, WalkFindings } from '../../../controller/reconcile/context.ts';
import { GraphMemory } from '../../../controller/reconcile/memory.ts';
import type { Coverage } from '../../../controller/watch/coverage.ts';
import type { ManagedResource } from '../../../src/api/graph.ts';
import type { KubeObject } from '../../../src/api/object.ts';
import type { TemplateProgramNode } from '../../../src/compiler/program.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import { ApiError } from '../../../src/kube/error.ts';
import { stub } from '../../support/stub.ts';

const UID = 'b5f1d1c6-0000-4000-8000-000000000000';
const ENTRY: ManagedResource = { apiVersion: 'example.com/v1', kind: 'Pump', namespace: 'n', name: 'one', nodeID: 'a', wave: 1, uid: 'u1' };
const LIVE: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'Pump',
  metadata: { name: 'one', namespace: 'n', uid: 'u1', resourceVersion: '7' },
};
const RIVAL = { name: 'n/older', uid: 'older', creationTimestamp: '2026-01-01T00:00:00Z' };

const refusal = (code: number, reason: string, name = 'one', message = ''): ApiError =>
  new ApiError({ code, reason, message, causes: [], name, about: name === '' ? '' : 'pumps', retryAfter: undefined });
const UNSERVED = refusal(404, 'NotFound', '');
const GONE = refusal(404, 'NotFound');

/** Gives way; tells what it came to, and whether this process would from now on take the object for one that it has never written. */
async function giveWayWith(
  applied: KubeObject | ApiError,
  live: KubeObject | ApiError,
): Promise<readonly [reason: string, isGivenUp: boolean]> {
  const answer = (given: KubeObject | ApiError): KubeObject => {
    if (given instanceof Error) throw given;
    return given;
  };
  const ledger = new Ledger({ managedResources: [ENTRY] });
  const identity = { group: 'example.com', kind: 'Pump', namespace: 'n', name: 'one' };
  const ref = { group: 'example.com', version: 'v1', plural: 'pumps', namespace: 'n', name: 'one' };
  const context = stub<ReconcileContext>('context', {
    applier: stub<KubeClient>('applier', {
      apply: async () => ({ object: answer(applied), isCreated: false, warnings: [] }),
      getMetadata: async () => answer(live),
    }),
    applierUser: 'system:serviceaccount:n:default',
    ledger,
    memory: new GraphMemory(UID),
    coverage: stub<Coverage>('coverage', { observe: () => {} }),
    findings: stub<WalkFindings>('findings', { made: new Made() }),
    signal: new AbortController().signal,
  });
  const item = stub<TemplateItem>('item', {
    node: stub<TemplateProgramNode>('node', { path: ['a'], wave: 1, payload: undefined as never }),
    target: { ref, identity, apiVersion: 'example.com/v1' } as TemplateItem['target'],
    answerKey: 'a',
  });
  const work: Work = { item, context, manager: 'm', mayForce: false, rival: undefined };
  const { trouble } = await giveWay('u1', [RIVAL], work);
  return [trouble.reason, ledger.wasNeverSent(ENTRY)];
}

const rows: readonly [title: string, applied: KubeObject | ApiError, live: KubeObject | ApiError, expected: readonly [string, boolean]][] =
  [
    ['what was given up is no longer ours', LIVE, LIVE, ['FieldManagerConflict', true]],
    ['nor is what has gone', refusal(409, 'Conflict'), GONE, ['FieldManagerConflict', true]],
    [
      'nor what was made anew',
      refusal(409, 'Conflict'),
      { ...LIVE, metadata: { ...LIVE.metadata, uid: 'u2' } },
      ['FieldManagerConflict', true],
    ],
    ['a version that is no longer served leaves our fields where they are', UNSERVED, UNSERVED, ['DataPending', false]],
    ['so does an admission plugin that refuses by the code of a conflict', refusal(409, 'Conflict'), LIVE, ['ApplyFailed', false]],
  ];
for (const [title, applied, live, expected] of rows) t.test(title, async (t) => t.same(await giveWayWith(applied, live), expected));
