import { setImmediate as breathe } from 'node:timers/promises';
import type { Contribution, ManagedResource } from '../../src/api/graph.ts';
import { printNodePath } from '../../src/api/names.ts';
import { type Identity, identityKey, parseApiVersion } from '../../src/api/object.ts';
import type { Budget } from '../../src/cel/budget.ts';
import type { Program } from '../../src/compiler/program.ts';
import { claimKey } from '../../src/engine/claims.ts';
import { collisions, type Foreseen, foresee } from '../../src/engine/foresee.ts';
import { targetOf } from '../../src/engine/target.ts';
import { Scope } from '../../src/runtime/scope.ts';
import { contributionOf } from '../apply/contribute.ts';
import { entryOfItem } from '../apply/item.ts';
import { placeOfItem } from '../inventory/place.ts';
import type { ActingContext, WalkFindings } from './context.ts';
import { WORTH_KEEPING } from './renderings.ts';
import { ServedKinds } from './served-kinds.ts';

/** What is known before anything is written. */
export interface Foresight {
  readonly entries: readonly ManagedResource[];
  readonly contributions: readonly Contribution[];
  /** By the key of a claim: why none of those who render it may. */
  readonly collisions: ReadonlyMap<string, string>;
}

/** A template object that is foreseen. */
interface ForeseenObject {
  readonly key: string;
  readonly place: number;
  readonly entry: ManagedResource;
  readonly isCertain: boolean;
}

/** All that a Program lets foresee, while these kinds are served as they are. */
export interface ProgramForesight {
  readonly kinds: ServedKinds;
  readonly objects: readonly ForeseenObject[];
  readonly contributions: readonly (Pick<ForeseenObject, 'key' | 'isCertain'> & { readonly entry: Contribution })[];
  readonly collisions: ReadonlyMap<string, string>;
}

/** What looking ahead needs. */
export interface LookAheadInput {
  readonly budget: Budget;
  readonly acting: ActingContext;
  readonly findings: Pick<WalkFindings, 'places'>;
}

/**
 * Renders the identities that can be known ahead, as entries of the inventory, and finds those that two would render (graph.md 8.5). Nothing
 * of the cluster but its kinds is in them, so that they are foreseen once for each Program.
 */
export async function lookAhead(program: Program, { budget, acting, findings }: LookAheadInput): Promise<Foresight> {
  const { foresights, mistaken } = acting.memory;
  const known = foresights.get(program);
  const foresight = known !== undefined && (await known.kinds.areSame(acting)) ? known : await foreseeAnew(program, budget, acting);
  if (foresight.objects.length + foresight.contributions.length >= WORTH_KEEPING) foresights.set(program, foresight);
  const isBelieved = ({ key, isCertain }: Pick<ForeseenObject, 'key' | 'isCertain'>): boolean => isCertain || !mistaken.has(key);
  const objects = foresight.objects.filter(isBelieved);
  for (const { key, place } of objects) findings.places.set(key, place);
  return {
    entries: objects.filter(({ key }) => !foresight.collisions.has(claimKey(key))).map(({ entry }) => entry),
    contributions: foresight.contributions.filter(isBelieved).map(({ entry }) => entry),
    collisions: foresight.collisions,
  };
}

async function foreseeAnew(program: Program, budget: Budget, acting: ActingContext): Promise<ProgramForesight> {
  const foreseen = await foresee(program, { scope: new Scope(), budget }, () => breathe());
  const kinds = new ServedKinds();
  const objects: ForeseenObject[] = [];
  const contributions: ProgramForesight['contributions'][number][] = [];
  const identities = new Map<Foreseen, Identity>();
  for (const one of foreseen) {
    const { node, isCertain, item } = one;
    const kind = { group: one.identity.group, version: parseApiVersion(one.apiVersion)?.version ?? '', kind: one.identity.kind };
    const resource = await kinds.resolve(kind, acting);
    // What is not served cannot be written, and whether it has a namespace is not known.
    if (resource === undefined) continue;
    const namespace = resource.namespaced ? one.identity.namespace || acting.namespace : '';
    const target = targetOf({ kind, resource, namespace, name: one.identity.name });
    identities.set(one, target.identity);
    const key = identityKey(target.identity);
    if (node.kind === 'patch') {
      const { subresource } = node;
      contributions.push({ key, isCertain, entry: contributionOf({ node, target, subresource }, acting.graphUid) });
    } else objects.push({ key, isCertain, place: placeOfItem(node, item), entry: entryOfItem({ node, target }) });
  }
  const found = collisions(
    foreseen.filter((one) => identities.has(one)),
    (one) => identities.get(one) ?? one.identity,
  );
  return { kinds, objects, contributions, collisions: new Map(found.map(({ key, first, second }) => [key, collisionText(first, second)])) };
}

function collisionText(first: Foreseen, second: Foreseen): string {
  const paths = [printNodePath(first.node.path), printNodePath(second.node.path)];
  return paths[0] === paths[1] ? 'two items render this same object' : `nodes "${paths[0]}" and "${paths[1]}" render this same object`;
}
