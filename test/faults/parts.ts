import type { AnyObject } from '../cluster/admin.ts';
import type { Expectation, ExpectedContribution, ExpectedObject } from './shape.ts';

/** A ConfigMap. */
export function configMap(name: string, data: Readonly<Record<string, string>>): AnyObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

/** A Secret whose data is readable in tests. */
export function secret(name: string, data: Readonly<Record<string, string>>): AnyObject {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: Object.fromEntries(encoded) };
}

/** A Service without endpoints: something that has a status. */
export function service(name: string): AnyObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }] } };
}

export function template(id: string, manifest: AnyObject): AnyObject {
  return { id, template: manifest };
}

export function patch(id: string, manifest: AnyObject): AnyObject {
  return { id, patch: manifest };
}

/** `a`, `b`, `c`, … */
export function letters(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, at) => String.fromCharCode('a'.charCodeAt(0) + from + at));
}

/** An expected ConfigMap. */
export function isMap(nodeID: string, name: string | RegExp, data?: Readonly<Record<string, string>>): ExpectedObject {
  return { kind: 'ConfigMap', name, nodeID, ...(data && { data }) };
}

/** What must be there of one Graph. */
export function only(
  graph: string,
  objects: readonly ExpectedObject[],
  contributions: readonly ExpectedContribution[] = [],
): ReadonlyMap<string, Expectation> {
  return new Map([[graph, { objects, contributions }]]);
}

/** No Graph must be there. */
export const NOTHING: ReadonlyMap<string, Expectation> = new Map();
