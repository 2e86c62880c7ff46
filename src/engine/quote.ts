import type { JsonObject, JsonValue } from '../api/object.ts';
import type { Payload } from '../compiler/program.ts';
import type { ApiCause, ApiError } from '../kube/error.ts';
import { isSameScalar } from '../kube/managed-fields.ts';
import { readBracket } from '../kube/printed-path.ts';
import { isValueFree } from '../kube/schema-refusal.ts';

/**
 * An API server's refusal for people (graph.md 13): reason, field and type of each cause; the server's own text only where the field did not
 * come from an expression, since it may hold a Secret's value.
 */
export function quoteRefusal(error: ApiError, payload: Payload | undefined): string {
  const reason = error.reason === '' ? `HTTP ${error.code}` : error.reason;
  if (error.causes.length === 0)
    return isLiteral(payload) ? `${reason}: ${error.message}` : `${reason} (the server's text may hold computed values)`;
  // The server gives a cause once for each of its checks.
  return `${reason}: ${[...new Set(error.causes.map((cause) => quoteCause(cause, payload)))].join('; ')}`;
}

function quoteCause({ type, field, message }: ApiCause, payload: Payload | undefined): string {
  const { at, told } = locate(payload, field);
  const where = [told, type].filter((part) => part !== '').join(' ');
  const isSafe = isLiteral(at) || isValueFree(message);
  if (!isSafe) return where === '' ? "(the server's text may hold computed values)" : where;
  return where === '' ? message : `${where}: ${message}`;
}

/**
 * What a payload has at a field, as the API server prints it, and how the field may be told: a key or a member of a list is a value, which is
 * told only where an item has it without an expression.
 */
function locate(payload: Payload | undefined, field: string): { readonly at: Payload | undefined; readonly told: string } {
  let at = payload;
  const told = field.replaceAll(STEP, (whole, inside: string | undefined) => {
    const isOfList = inside?.includes('=') === true;
    at = isOfList ? itemOf(at, inside) : memberOf(at, inside ?? whole);
    return isOfList && at === undefined ? whole.replaceAll(VALUE, '=…') : whole;
  });
  return { at, told };
}

const STEP = /\[((?:"(?:[^"\\]|\\.)*"|[^\]"])*)\]|[^.[\]]+/g;
const VALUE = /=(?:"(?:[^"\\]|\\.)*"|[^,"\]]*)/g;

function memberOf(at: Payload | undefined, step: string): Payload | undefined {
  if (at?.kind === 'object') return at.entries.get(step);
  if (at?.kind === 'list') return at.items[Number(step)];
  return at?.kind === 'literal' ? at : undefined;
}

function itemOf(at: Payload | undefined, inside: string): Payload | undefined {
  if (at?.kind === 'literal') return at;
  const step = readBracket(inside);
  if (at?.kind !== 'list' || step === undefined || step.kind === 'index') return undefined;
  return at.items.find((item) => {
    if (step.kind === 'value') return item.kind === 'literal' && isSameScalar(item.value, step.value);
    return Object.entries(step.key).every(([name, value]) => isSameScalar(literalAt(item, name), value));
  });
}

/** Whether a payload holds no expression; one that is not there may hold anything. */
export function isLiteral(payload: Payload | undefined): boolean {
  const pending = [payload];
  while (pending.length > 0) {
    const at = pending.pop();
    if (at === undefined || at.kind === 'standalone' || at.kind === 'text') return false;
    // One by one: a list may have more items than a call may have arguments.
    if (at.kind === 'object') for (const entry of at.entries.values()) pending.push(entry);
    if (at.kind === 'list') for (const item of at.items) pending.push(item);
  }
  return true;
}

function literalAt(item: Payload, name: string): JsonValue | undefined {
  if (item.kind === 'literal') return isObject(item.value) ? item.value[name] : undefined;
  const member = item.kind === 'object' ? item.entries.get(name) : undefined;
  return member?.kind === 'literal' ? member.value : undefined;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
