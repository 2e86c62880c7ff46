import { type ApiCause, ApiError } from './error.ts';
import { readSchemaRefusal } from './schema-refusal.ts';

const LONGEST_TEXT = 1024;

/**
 * An answer that is no success, as an ApiError: from the API server's `Status`, or from whatever else answered. A manifest that does not fit its
 * schema is called `Invalid` here, whatever it is called there.
 */
export function readRefusal({ code, body, retryAfter }: { code: number; body: unknown; retryAfter: string | undefined }): ApiError {
  const status = record(body);
  const details = record(status['details']);
  const isStatus = status['kind'] === 'Status';
  const seconds = details['retryAfterSeconds'];
  const message = isStatus ? text(status['message']) : '';
  const refusal = isStatus && code === 500 ? readSchemaRefusal(message) : undefined;
  const isInvalid = refusal?.of === 'patch';
  return new ApiError({
    code: isInvalid ? 422 : code,
    reason: isInvalid ? 'Invalid' : isStatus ? text(status['reason']) : '',
    message: message === '' ? plainMessage(code, body) : message,
    causes: refusal?.causes ?? list(details['causes']).map(readCause),
    name: text(details['name']),
    about: text(details['kind']),
    retryAfter: readRetryAfter(retryAfter) ?? (typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined),
  });
}

/** The `Status` that an `ERROR` event of a watch carries, as an ApiError. */
export function readWatchError(body: unknown): ApiError {
  const { code } = record(body);
  return readRefusal({ code: typeof code === 'number' ? code : 500, body, retryAfter: undefined });
}

function readCause(cause: unknown): ApiCause {
  const { reason, field, message } = record(cause);
  return { type: text(reason), field: text(field), message: text(message) };
}

function plainMessage(code: number, body: unknown): string {
  const said = typeof body === 'string' ? body.trim().slice(0, LONGEST_TEXT) : '';
  return said === '' ? `the server answered ${code}` : `the server answered ${code}: ${said}`;
}

function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined || !/^\d+$/.test(header.trim())) return undefined;
  return Number(header) * 1000;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
