import t from 'tap';
import { Limiter } from '../../../controller/apply/limiter.ts';
import { type Inventory, Ledger } from '../../../controller/inventory/ledger.ts';
import { Made } from '../../../controller/inventory/made.ts';
import { type SettleContext, settle } from '../../../controller/inventory/settle.ts';
import { GraphMemory } from '../../../controller/reconcile/memory.ts';
import type { Coverage } from '../../../controller/watch/coverage.ts';
import type { Contribution, ManagedResource } from '../../../src/api/graph.ts';
import { patchManager } from '../../../src/api/names.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import { stub } from '../../support/stub.ts';

const object: ManagedResource = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a', nodeID: 'a', wave: 1, uid: 'u1' };
const manager = patchManager('g1', ['p']);
const contribution: Contribution = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 't', fieldManager: manager };

/** What becomes of what was made: what is asked of the API server, and what was to be added to the inventory. */
async function settled(made: Made, isHeld: boolean): Promise<{ readonly requests: string[]; readonly added: Inventory[] }> {
  const requests: string[] = [];
  const added: Inventory[] = [];
  const target = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 't',
      namespace: 'n',
      uid: 'u2',
      managedFields: [{ manager, operation: 'Apply' as const, apiVersion: 'v1', fieldsV1: { 'f:data': {} } }],
    },
  };
  const context = stub<SettleContext>('context', {
    graphUid: 'g1',
    applierUser: 'system:serviceaccount:n:default',
    applier: stub<KubeClient>('applier', {
      delete: async ({ name }, { uid }) => requests.push(`delete ${name} ${uid}`) > 0,
      get: async () => target,
      apply: async ({ name }, manifest, { manager: by }) => {
        requests.push(`apply ${name} as ${by}: ${JSON.stringify(Object.keys(manifest))}`);
        return { object: target, isCreated: false, warnings: [] };
      },
    }),
    ledger: new Ledger({}),
    memory: new GraphMemory('g1'),
    coverage: stub<Coverage>('coverage', {
      object: async () => ({ isKnown: true, record: undefined }),
      observe: () => {},
      observeGone: () => {},
    }),
    resolveServed: async (kind) => ({ word: 'served', kind, plural: 'configmaps', namespaced: true }),
    isNamespaceEnding: async () => false,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    signal: new AbortController().signal,
    now: () => 0,
    limiter: new Limiter(5),
    addToInventory: async (inventory) => {
      added.push(inventory);
      return isHeld;
    },
  });
  await settle(made, context);
  return { requests, added };
}

function both(): Made {
  const made = new Made();
  made.object(object);
  made.contribution(contribution);
  return made;
}

t.test('a walk that made nothing leaves nothing to settle', async (t) => {
  t.same(await settled(new Made(), false), { requests: [], added: [] });
});

t.test('what was made comes back into the inventory of whoever looks into it', async (t) => {
  t.same(await settled(both(), true), { requests: [], added: [{ managedResources: [object], contributions: [contribution] }] });
});

t.test('where nobody looks into it any more, what was made goes', async (t) => {
  const { requests } = await settled(both(), false);
  t.same(requests.sort(), [`apply t as ${manager}: ["apiVersion","kind","metadata"]`, 'delete a u1']);
});
