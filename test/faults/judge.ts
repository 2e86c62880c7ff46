import { isDeepStrictEqual } from 'node:util';
import { patchManager, patchManagerPrefix, templateManager } from '../../src/api/names.ts';
import type { Admin, AnyObject } from '../cluster/admin.ts';
import type { Expectation, ExpectedObject } from './shape.ts';

/** The kinds that shapes use. */
export const COLLECTIONS: Readonly<Record<string, (namespace: string) => string>> = {
  ConfigMap: (namespace) => `/api/v1/namespaces/${namespace}/configmaps`,
  Secret: (namespace) => `/api/v1/namespaces/${namespace}/secrets`,
  Service: (namespace) => `/api/v1/namespaces/${namespace}/services`,
  Graph: (namespace) => `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs`,
};

/** All objects of those kinds in a namespace. */
export async function listAll(admin: Admin, namespace: string): Promise<AnyObject[]> {
  const lists = await Promise.all(
    Object.entries(COLLECTIONS).map(async ([kind, collection]) => {
      const list = await admin.get(collection(namespace));
      return (list?.['items'] ?? []).map((item: AnyObject) => ({ ...item, kind }));
    }),
  );
  return lists.flat();
}

/** Whether a Graph is as its spec says, and says so. */
export function isSettled(graph: AnyObject): boolean {
  const { metadata, status } = graph;
  const condition = (type: string): AnyObject => status?.conditions?.find((one: AnyObject) => one['type'] === type) ?? {};
  const ready = condition('Ready');
  return (
    metadata['deletionTimestamp'] === undefined &&
    status?.observedGeneration === metadata['generation'] &&
    ready['observedGeneration'] === metadata['generation'] &&
    [ready, condition('Accepted'), condition('ResourcesConverged'), condition('WatchesHealthy')].every((one) => one['status'] === 'True') &&
    [condition('Reconciling'), condition('Stalled')].every((one) => one['status'] === 'False') &&
    status.state === 'ACTIVE'
  );
}

/** What is wrong with a settled Graph: its inventories against what is live (graph.md 12.1), and that against what must be. */
export function judgeGraph(graph: AnyObject, live: readonly AnyObject[], expected: Expectation): string[] {
  const { uid } = graph['metadata'];
  const entries: readonly AnyObject[] = graph['status']?.managedResources ?? [];
  const owned = live.filter((object) => managersOf(object).includes(templateManager(uid)));
  return [
    ...(isSettled(graph) ? [] : [`${nameOf(graph)} is not settled`]),
    ...(graph['metadata'].finalizers?.includes('kro.run/graph-finalizer') ? [] : ['no finalizer']),
    ...differ('managedResources against live objects with our manager', entries.map(printEntry).sort(), owned.map(printLive).sort()),
    ...judgeOrder(entries, expected.objects),
    ...expected.objects.flatMap((wanted) => judgeData(wanted, find(live, wanted))),
    ...differ('managedResourceCount', graph['status']?.managedResourceCount, entries.length),
    ...judgeContributions(graph, live, expected),
  ];
}

/** What a Graph that is gone has left behind. */
export function judgeGone(uid: string, live: readonly AnyObject[]): string[] {
  return live
    .filter((object) => managersOf(object).some((name) => name === templateManager(uid) || name.startsWith(patchManagerPrefix(uid))))
    .map((object) => `${printLive(object)} still has a field manager of the Graph that is gone`);
}

/** What is true of an object apart from who owns it and how often it was written. */
export function substanceOf(object: AnyObject): AnyObject {
  const { metadata, ...rest } = object;
  const { managedFields, resourceVersion, generation, ...others } = metadata;
  return { ...rest, metadata: others };
}

/** Two values that must be the same. */
export function differ(what: string, found: unknown, wanted: unknown): string[] {
  return isDeepStrictEqual(found, wanted) ? [] : [`${what}: found ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`];
}

function judgeOrder(entries: readonly AnyObject[], expected: readonly ExpectedObject[]): string[] {
  const isSame =
    entries.length === expected.length &&
    entries.every((entry, at) => {
      const wanted = expected[at];
      return wanted !== undefined && entry['kind'] === wanted.kind && entry['nodeID'] === wanted.nodeID && fits(entry['name'], wanted.name);
    });
  if (isSame) return [];
  const wanted = expected.map(({ kind, name, nodeID }) => `${nodeID}: ${kind} ${name}`);
  return [`apply order: found ${JSON.stringify(entries.map(printEntry))}, expected ${JSON.stringify(wanted)}`];
}

function judgeData({ kind, name, data }: Pick<ExpectedObject, 'kind' | 'name' | 'data'>, object: AnyObject | undefined): string[] {
  if (object === undefined) return [`${kind} ${name} is not there`];
  return Object.entries(data ?? {}).flatMap(([key, value]) => differ(`${kind} ${name}: data.${key}`, object['data']?.[key], value));
}

function judgeContributions(graph: AnyObject, live: readonly AnyObject[], { contributions }: Expectation): string[] {
  const { uid } = graph['metadata'];
  const printed = (kind: string, name: string, manager: string, subresource?: string): string =>
    `${kind} ${name} ${manager} ${subresource ?? ''}`;
  const wanted = contributions.map((one) => printed(one.kind, one.name, patchManager(uid, one.nodeID.split('/')), one.subresource));
  const recorded = (graph['status']?.contributions ?? []).map((one: AnyObject) =>
    printed(one['kind'], one['name'], one['fieldManager'], one['subresource']),
  );
  const given = live.flatMap((object) =>
    (object['metadata'].managedFields ?? [])
      .filter((entry: AnyObject) => entry['manager'].startsWith(patchManagerPrefix(uid)))
      .map((entry: AnyObject) => printed(object['kind'], nameOf(object), entry['manager'], entry['subresource'])),
  );
  return [
    ...differ('contributions', recorded.sort(), wanted.toSorted()),
    ...differ('fields of ours on objects of others', given.sort(), wanted.toSorted()),
    ...contributions.flatMap((one) => judgeData(one, find(live, one))),
  ];
}

function find(
  live: readonly AnyObject[],
  { kind, name }: { readonly kind: string; readonly name: string | RegExp },
): AnyObject | undefined {
  return live.find((object) => object['kind'] === kind && fits(nameOf(object), name));
}

function fits(name: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? name === wanted : wanted.test(name);
}

function managersOf(object: AnyObject): string[] {
  return (object['metadata'].managedFields ?? []).map((entry: AnyObject) => entry['manager']);
}

/** The name of a live object. */
export function nameOf(object: AnyObject): string {
  return object['metadata'].name;
}

function printEntry(entry: AnyObject): string {
  return `${entry['nodeID']}: ${entry['kind']} ${entry['namespace'] ?? ''}/${entry['name']} uid ${entry['uid']} wave ${entry['wave']}`;
}

function printLive({ kind, metadata }: AnyObject): string {
  const { annotations = {}, namespace, name, uid } = metadata;
  const node = annotations['internal.kro.run/node-path'];
  return `${node}: ${kind} ${namespace ?? ''}/${name} uid ${uid} wave ${annotations['internal.kro.run/apply-order']}`;
}
