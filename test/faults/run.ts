import { setTimeout as sleep } from 'node:timers/promises';
import { templateManager } from '../../src/api/names.ts';
import type { Admin, AnyObject } from '../cluster/admin.ts';
import { COLLECTIONS, differ, isSettled, judgeGone, judgeGraph, listAll, nameOf, substanceOf } from './judge.ts';
import { applyAs, type Process } from './lane.ts';
import { configMap } from './parts.ts';
import type { Expectation, Scenario, Shape, Wanted } from './shape.ts';

/** Where runs happen one after another: a namespace, and the controller of its Graphs. */
export interface Lane {
  readonly admin: Admin;
  readonly namespace: string;
  readonly controller: Process;
  /** A settled Graph that is not to be touched, and its objects. */
  readonly neighbours: Map<string, AnyObject>;
}

const SETTLED_MILLISECONDS = 120_000;
/** A process that begins waits anew for writes of unknown fate, and a lane's controller is killed again and again. */
const AGAIN_MILLISECONDS = 1_800_000;
const NEIGHBOUR = 'neighbour';

/** Makes the lane's neighbour and waits until it has settled. */
export async function settleNeighbour(lane: Lane): Promise<void> {
  const { admin, namespace, controller, neighbours } = lane;
  const nodes = ['a', 'b'].map((node) => ({ id: node, template: configMap(`${NEIGHBOUR}-${node}`, { v: '1' }) }));
  controller.start();
  await applyGraph(lane, NEIGHBOUR, nodes);
  await admin.waitFor(graphPath(lane, NEIGHBOUR), (graph) => graph !== undefined && isSettled(graph), SETTLED_MILLISECONDS);
  for (const object of await listAll(admin, namespace))
    if (nameOf(object).startsWith(NEIGHBOUR)) neighbours.set(`${object['kind']} ${nameOf(object)}`, object);
}

/** One Graph of a shape, from the objects around it to its end. */
export class Run {
  readonly id: string;
  readonly shape: Shape;
  readonly scenario: Scenario;
  readonly lane: Lane;
  /** Objects of others, as they were before the Graph was. */
  readonly #others = new Map<string, AnyObject>();
  /** What looks like the Graph's own and is not. */
  readonly #traps = new Map<string, AnyObject>();
  #uids: string[] = [];
  /** The Graph is made again as soon as its name is free. */
  #again: Promise<void> | undefined;
  /** The UIDs of the objects that others have deleted. */
  #robbed: ReadonlySet<string> = new Set();

  constructor(lane: Lane, shape: Shape, id: string) {
    this.lane = lane;
    this.shape = shape;
    this.id = id;
    this.scenario = shape.scenario(id);
  }

  /** Makes what must be there before something goes wrong. */
  async setUp(): Promise<void> {
    const { admin, namespace } = this.lane;
    for (const other of this.scenario.others) this.#keep(this.#others, await this.#make(other, 'somebody'));
    const neighbour = this.lane.neighbours.get(`Graph ${NEIGHBOUR}`)?.['metadata'].uid ?? '';
    this.#keep(this.#traps, await this.#make(trap(`${this.id}-a-lookalike`), 'somebody'));
    this.#keep(this.#traps, await this.#make(trap(`${this.id}-b-lookalike`), templateManager(neighbour)));
    // As the API server lists them.
    const live = await listAll(admin, namespace);
    for (const map of [this.#others, this.#traps])
      for (const object of live) {
        const key = `${object['kind']} ${nameOf(object)}`;
        if (map.has(key)) map.set(key, object);
      }
    if (this.scenario.before === undefined) return;
    this.lane.controller.start();
    await this.become(this.scenario.before);
    await this.#waitFor(isSettled);
  }

  /** Applies or deletes the Graph. */
  async become(wanted: Wanted): Promise<void> {
    if (wanted === 'deleted') await this.lane.admin.remove(graphPath(this.lane, this.id));
    else if (wanted === 'robbed') await this.lane.controller.whileAsleep(() => this.#rob());
    else if ('again' in wanted) {
      await this.lane.admin.remove(graphPath(this.lane, this.id));
      this.#again = this.#makeAgain(wanted.again);
      // Whoever settles learns of it.
      this.#again.catch(() => {});
    } else {
      const { nodes, account } = 'nodes' in wanted ? wanted : { nodes: wanted, account: undefined };
      this.#note(await applyGraph(this.lane, this.id, nodes, account));
    }
  }

  /** Returns when the Graph, and those that it has made, are as it was last wanted, or gone. */
  async untilSettled(wanted: Wanted): Promise<void> {
    const { admin } = this.lane;
    await this.#again;
    if (wanted === 'deleted') await admin.waitFor(graphPath(this.lane, this.id), (graph) => graph === undefined, SETTLED_MILLISECONDS);
    else if (wanted === 'robbed') await this.#waitFor((graph) => isSettled(graph) && !uidsOf(graph).some((uid) => this.#robbed.has(uid)));
    else for (const name of new Set([this.id, ...this.scenario.expected.keys()])) await this.#waitFor(isSettled, name);
  }

  /** The restarted controller has looked at every Graph of the run and has brought it to its end. */
  async settle(): Promise<void> {
    const { expected } = this.scenario;
    await this.#again;
    if (expected.size === 0) return this.untilSettled('deleted');
    for (const [name, { objects, contributions }] of expected) {
      await this.#untilReconciled(name);
      const hasAll = (graph: AnyObject | undefined): boolean =>
        graph !== undefined &&
        isSettled(graph) &&
        // What a killed process may have sent is looked for a while before it is forgotten.
        (graph['status'].contributions ?? []).length === contributions.length &&
        (this.shape.isPatient !== true || (graph['status'].managedResources ?? []).length === objects.length);
      await this.lane.admin.waitFor(graphPath(this.lane, name), hasAll, SETTLED_MILLISECONDS);
    }
  }

  /** What is wrong with the cluster now that the run has settled; nothing, if all is well. */
  async judge(): Promise<string[]> {
    return this.#judge(this.scenario.expected);
  }

  /** Deletes the Graph and says what it has left behind; then removes everything of the run. */
  async tearDown(): Promise<string[]> {
    await this.become('deleted');
    await this.untilSettled('deleted');
    const wrong = await this.#judge(new Map());
    const { admin } = this.lane;
    for (const object of [...this.#others.values(), ...this.#traps.values()]) await admin.remove(this.#pathOf(object));
    return wrong;
  }

  /** Everything of the run as it is now, for people. */
  async dump(): Promise<string> {
    const { admin, namespace, controller } = this.lane;
    const live = (await listAll(admin, namespace)).filter((object) => nameOf(object).startsWith(this.id));
    const objects = live.map(printObject);
    const requests = controller.proxy.seen
      .slice(-80)
      .filter(({ isWatch }) => !isWatch)
      .map(({ method, path, status }) => `${method} ${path} ${status ?? '-'}`);
    const log = controller.log.slice(-40).map((line) => JSON.stringify(line));
    return [...objects, 'last requests:', ...requests, 'log:', ...log].join('\n');
  }

  async #makeAgain(nodes: readonly AnyObject[]): Promise<void> {
    const { admin } = this.lane;
    const path = graphPath(this.lane, this.id);
    await admin.waitFor(path, (graph) => graph === undefined, AGAIN_MILLISECONDS);
    const graph = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: this.id }, spec: { nodes } };
    this.#note(await admin.create(path.slice(0, path.lastIndexOf('/')), graph));
  }

  #note(graph: AnyObject): void {
    this.#uids = [...new Set([...this.#uids, graph['metadata'].uid])];
  }

  async #rob(): Promise<void> {
    const { admin } = this.lane;
    const graph = await admin.get(graphPath(this.lane, this.id));
    this.#robbed = new Set(uidsOf(graph));
    for (const { kind, name } of graph?.['status'].managedResources ?? []) await admin.remove(this.#pathOf({ kind, metadata: { name } }));
  }

  async #judge(expected: ReadonlyMap<string, Expectation>): Promise<string[]> {
    const live = await listAll(this.lane.admin, this.lane.namespace);
    const mine = live.filter((object) => nameOf(object).startsWith(this.id));
    const graphs = mine.filter(({ kind }) => kind === 'Graph');
    const wrong = [...expected].flatMap(([name, expectation]) => {
      const graph = graphs.find((one) => nameOf(one) === name);
      return graph === undefined ? [`Graph ${name} is not there`] : judgeGraph(graph, live, expectation);
    });
    const isWanted = (object: AnyObject): boolean => {
      const key = `${object['kind']} ${nameOf(object)}`;
      if (this.#others.has(key) || this.#traps.has(key)) return true;
      if (object['kind'] === 'Graph' && expected.has(nameOf(object))) return true;
      return [...expected.values()].some(({ objects }) =>
        objects.some(
          ({ kind, name }) => kind === object['kind'] && (typeof name === 'string' ? name === nameOf(object) : name.test(nameOf(object))),
        ),
      );
    };
    for (const object of mine) if (!isWanted(object)) wrong.push(`orphan: ${object['kind']} ${nameOf(object)}`);
    if (expected.size === 0) for (const uid of this.#uids) wrong.push(...judgeGone(uid, live));
    return [...wrong, ...this.#judgeOthers(live, expected)];
  }

  #judgeOthers(live: readonly AnyObject[], expected: ReadonlyMap<string, Expectation>): string[] {
    const now = new Map(live.map((object) => [`${object['kind']} ${nameOf(object)}`, object]));
    const given = new Set([...expected.values()].flatMap(({ contributions }) => contributions.map(({ kind, name }) => `${kind} ${name}`)));
    const wrong: string[] = [];
    for (const [key, object] of [...this.#traps, ...this.lane.neighbours])
      wrong.push(...differ(`${key}, which is not ours`, now.get(key)?.['metadata'].resourceVersion, object['metadata'].resourceVersion));
    for (const [key, object] of this.#others) {
      const present = now.get(key);
      if (present === undefined) wrong.push(`${key}, which is not ours, is gone`);
      else if (!given.has(key)) wrong.push(...differ(`${key}, where nothing of ours is to be`, substanceOf(present), substanceOf(object)));
    }
    return wrong;
  }

  async #untilReconciled(name: string): Promise<void> {
    const deadline = Date.now() + SETTLED_MILLISECONDS;
    const isDone = (line: AnyObject): boolean => line['msg'] === 'reconciled' && line['name'] === name;
    while (!this.lane.controller.log.some(isDone)) {
      if (!this.lane.controller.isRunning) throw new Error('the controller has ended by itself');
      if (Date.now() > deadline) throw new Error(`Graph ${name} was not reconciled`);
      await sleep(100);
    }
  }

  async #waitFor(isWanted: (graph: AnyObject) => boolean, name = this.id): Promise<void> {
    const path = graphPath(this.lane, name);
    await this.lane.admin.waitFor(path, (graph) => graph === undefined || isWanted(graph), SETTLED_MILLISECONDS);
  }

  #make(object: AnyObject, manager: string): Promise<AnyObject> {
    return applyAs(this.lane.admin, manager, this.#pathOf(object), object);
  }

  #pathOf(object: AnyObject): string {
    const collection = COLLECTIONS[object['kind']];
    if (collection === undefined) throw new Error(`no collection of ${object['kind']}`);
    return `${collection(this.lane.namespace)}/${nameOf(object)}`;
  }

  #keep(map: Map<string, AnyObject>, object: AnyObject): void {
    map.set(`${object['kind']} ${nameOf(object)}`, object);
  }
}

function uidsOf(graph: AnyObject | undefined): string[] {
  return (graph?.['status']?.managedResources ?? []).map((entry: AnyObject) => entry['uid']);
}

function printObject({ kind, metadata, data, status }: AnyObject): string {
  const { name, uid, resourceVersion, generation, deletionTimestamp, managedFields = [] } = metadata;
  const managers = managedFields.map((entry: AnyObject) => `${entry['manager']}${entry['subresource'] ? `/${entry['subresource']}` : ''}`);
  return `${kind} ${name} ${JSON.stringify({ uid, resourceVersion, generation, deletionTimestamp, managers, data, status })}`;
}

/** Bears the marks of a Graph's object, but not our field manager. */
function trap(name: string): AnyObject {
  const object = configMap(name, { v: '1' });
  const marks = {
    labels: { 'kro.run/node-id': 'a', 'kro.run/collection-index': '0', 'kro.run/collection-size': '1' },
    annotations: { 'internal.kro.run/node-path': 'a', 'internal.kro.run/apply-order': '1' },
  };
  return { ...object, metadata: { ...object['metadata'], ...marks } };
}

function graphPath({ namespace }: Lane, name: string): string {
  return `${COLLECTIONS['Graph']?.(namespace)}/${name}`;
}

function applyGraph(lane: Lane, name: string, nodes: readonly AnyObject[], account?: string): Promise<AnyObject> {
  const spec = { nodes, ...(account === undefined ? {} : { serviceAccountName: account }) };
  const graph = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name }, spec };
  return applyAs(lane.admin, 'author', graphPath(lane, name), graph);
}
