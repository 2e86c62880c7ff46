import type { Payload } from '../compiler/program.ts';
import type { ApiCause, ApiError } from '../kube/error.ts';

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
  const where = [field, type].filter((part) => part !== '').join(' ');
  const isSafe = field === '' ? isLiteral(payload) : isLiteralAt(payload, field);
  if (!isSafe) return where === '' ? "(the server's text may hold computed values)" : where;
  return where === '' ? message : `${where}: ${message}`;
}

/** Whether the value at a field, as the API server prints its path, holds no expression. */
export function isLiteralAt(payload: Payload | undefined, field: string): boolean {
  let at = payload;
  for (const step of steps(field)) {
    if (at === undefined || at.kind === 'literal') return at !== undefined;
    if (at.kind === 'object') at = at.entries.get(step);
    else if (at.kind === 'list') at = at.items[Number(step)];
    else return false;
  }
  return isLiteral(at);
}

/** Whether a payload holds no expression; one that is not there may hold anything. */
export function isLiteral(payload: Payload | undefined): boolean {
  const pending = [payload];
  while (pending.length > 0) {
    const at = pending.pop();
    if (at === undefined || at.kind === 'standalone' || at.kind === 'text') return false;
    if (at.kind === 'object') pending.push(...at.entries.values());
    if (at.kind === 'list') pending.push(...at.items);
  }
  return true;
}

function steps(field: string): string[] {
  return [...field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([whole, index]) => index ?? whole);
}
