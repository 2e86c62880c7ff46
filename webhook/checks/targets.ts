import type { NodeKindName } from '../../src/api/graph.ts';
import { parseApiVersion, type ResourceKind } from '../../src/api/object.ts';
import { FieldPath } from '../../src/diagnostic/path.ts';

/** An object, or several, that a node acts on, as far as the spec says it literally. */
export interface Target {
  readonly nodeKind: Exclude<NodeKindName, 'def' | 'graph'>;
  readonly kind: ResourceKind;
  /** As the payload says it: empty where it says nothing; undefined where it is computed. */
  readonly namespace: string | undefined;
  /** A patch of status, which is written apart (graph.md 4). */
  readonly isOfStatus: boolean;
  /** A ref that lists. */
  readonly isSelector: boolean;
  /** The payload. */
  readonly place: FieldPath;
}

const OBJECT_PAYLOADS = ['template', 'ref', 'patch'] as const;

/** What a spec acts on, in its order; nodes whose kind is computed are left out. Takes any value; iterative, so depth is free. */
export function targetsOf(spec: unknown): Target[] {
  const targets: Target[] = [];
  const pending: { readonly list: unknown; readonly place: FieldPath }[] = [
    { list: fieldOf(spec, 'nodes'), place: FieldPath.of('spec', 'nodes') },
  ];
  for (let frame = pending.pop(); frame !== undefined; frame = pending.pop()) {
    if (!Array.isArray(frame.list)) continue;
    for (const [index, node] of frame.list.entries()) {
      const place = frame.place.index(index);
      for (const nodeKind of OBJECT_PAYLOADS) {
        const target = targetOf(nodeKind, fieldOf(node, nodeKind), place.field(nodeKind));
        if (target !== undefined) targets.push(target);
      }
      const child = fieldOf(fieldOf(node, 'graph'), 'nodes');
      if (child !== undefined) pending.push({ list: child, place: place.field('graph').field('nodes') });
    }
  }
  return targets;
}

function targetOf(nodeKind: Target['nodeKind'], payload: unknown, place: FieldPath): Target | undefined {
  const apiVersion = literal(fieldOf(payload, 'apiVersion'));
  const kind = literal(fieldOf(payload, 'kind'));
  const version = apiVersion === undefined ? undefined : parseApiVersion(apiVersion);
  if (version === undefined || kind === undefined || kind === '') return undefined;
  const metadata = fieldOf(payload, 'metadata');
  const namespace = fieldOf(metadata, 'namespace') ?? '';
  return {
    nodeKind,
    kind: { ...version, kind },
    namespace: literal(namespace),
    isOfStatus: nodeKind === 'patch' && fieldOf(payload, 'status') !== undefined,
    isSelector: fieldOf(metadata, 'selector') !== undefined,
    place,
  };
}

function literal(value: unknown): string | undefined {
  return typeof value === 'string' && !value.includes('${') ? value : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
