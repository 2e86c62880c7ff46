import { isEqualJson } from '../src/api/is-equal-json.ts';
import { API_GROUP, GRAPH_KIND, TEMPLATE_MANAGER_PREFIX } from '../src/api/names.ts';
import type { JsonObject, JsonValue } from '../src/api/object.ts';
import type { AdmissionRequest } from './decode.ts';

const ACCOUNT_PREFIX = 'system:serviceaccount:';
const DEFAULT_ACCOUNT = 'default';

/** How much of a request is judged (graph.md 14.3, 14.4): all of it, only the account that the Graph would act as, or nothing. */
export type Scrutiny = 'all' | 'account' | 'none';

/** A stored Graph can always be deleted, and a write that changes neither spec nor account is nobody's business (graph.md 14.3, 14.4). */
export function scrutinyOf(request: AdmissionRequest): Scrutiny {
  const { operation, kind, subresource, object, oldObject } = request;
  if (operation === 'DELETE' || operation === 'CONNECT' || subresource !== '') return 'none';
  if (kind.group !== API_GROUP || kind.kind !== GRAPH_KIND) return 'none';
  if (operation === 'CREATE') return 'all';
  if (isBeingDeleted(object)) return accountOf(object) === accountOf(oldObject) ? 'none' : 'account';
  return isEqualJson(object?.['spec'], oldObject?.['spec']) ? 'none' : 'all';
}

/** The ServiceAccount that a Graph acts as. */
export function accountOf(graph: JsonObject | undefined): string {
  const name = asObject(graph?.['spec'])?.['serviceAccountName'];
  return typeof name === 'string' && name !== '' ? name : DEFAULT_ACCOUNT;
}

/** Written by another Graph, and not by a person who uses its field manager (graph.md 14.5). */
export function isStamped({ fieldManager, user }: AdmissionRequest): boolean {
  return fieldManager.startsWith(TEMPLATE_MANAGER_PREFIX) && user.username.startsWith(ACCOUNT_PREFIX);
}

function isBeingDeleted(graph: JsonObject | undefined): boolean {
  const timestamp = asObject(graph?.['metadata'])?.['deletionTimestamp'];
  return timestamp !== undefined && timestamp !== null;
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}
