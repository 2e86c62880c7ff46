const MASKED = '[masked]';
const SENSITIVE = /^(authorization|token|password|client-key-data|clientKeyData|tls\.key)$/i;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const DEEPEST = 12;

/**
 * A copy of what is to be logged in which no Secret's data is left, at whatever depth the Secret stands, and no token. Too deep a value
 * is cut, so that it cannot hide one.
 */
export function mask(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => mask(item, depth + 1));
  if (value instanceof Date) return value;
  if (value instanceof Error) return printError(value, depth);
  return maskObject(value as Readonly<Record<string, unknown>>, depth);
}

function maskObject(object: Readonly<Record<string, unknown>>, depth: number): unknown {
  const isSecret = object['kind'] === 'Secret';
  const entries = Object.entries(object).map(([name, member]): [string, unknown] => {
    if (isSecret && (name === 'data' || name === 'stringData')) return [name, maskMembers(member)];
    if (name === LAST_APPLIED || (SENSITIVE.test(name) && typeof member === 'string')) return [name, MASKED];
    return [name, mask(member, depth + 1)];
  });
  return Object.fromEntries(entries);
}

function maskMembers(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return MASKED;
  return Object.fromEntries(Object.keys(data).map((name) => [name, MASKED]));
}

interface AnyError extends Error {
  readonly code?: unknown;
  readonly reason?: unknown;
  readonly causes?: readonly { readonly type?: unknown; readonly field?: unknown }[];
  readonly failure?: unknown;
}

/**
 * An error as fields. Of an API server's refusal that judges content (400, 422, a webhook's denial) the text is left out: it may quote a
 * Secret's value; reason, fields and cause types stay.
 */
function printError(error: AnyError, depth: number): unknown {
  const { name, message, stack, code, reason, causes, failure, cause } = error;
  const fields = { code, reason, failure };
  if (name === 'ApiError') {
    const quotes = code === 400 || code === 422 || message.startsWith('admission webhook');
    return { name, ...(quotes ? {} : { message }), ...fields, causes: causes?.map(({ type, field }) => ({ type, field })) };
  }
  return { name, message, ...fields, stack, ...(cause !== undefined && { cause: mask(cause, depth + 1) }) };
}
