import { type DestinationStream, type Logger, pino } from 'pino';
import { mask } from './mask.ts';
import { prettyLine } from './pretty.ts';

/** A logger; its messages are constant text, all else are fields (operations.md 8). */
export type Log = Logger;

/** How and where to log. */
export interface LogOptions {
  /** `webhook` or `controller`: the key `logger` of every line. */
  readonly name: string;
  readonly level: string;
  readonly format: 'json' | 'pretty';
  readonly destination: { write(line: string): unknown };
  /** Colours of the pretty format. */
  readonly isColoured?: boolean;
}

/** JSON lines with level names, or lines for people. Secrets' data and tokens are masked in both. */
export function createLog({ name, level, format, destination, isColoured = false }: LogOptions): Log {
  const stream: DestinationStream = {
    write: (line) => {
      destination.write(format === 'json' ? line : prettyLine(line, isColoured));
    },
  };
  const options = {
    level,
    base: { logger: name },
    messageKey: 'msg',
    errorKey: 'error',
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: object) => mask(fields) as Record<string, unknown>,
    },
    serializers: { error: printError, err: printError },
  };
  return pino(options, stream);
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
function printError(error: unknown): unknown {
  if (!(error instanceof Error)) return mask(error);
  const { name, message, stack, code, reason, causes, failure, cause } = error as AnyError;
  const fields = { code, reason, failure };
  if (name === 'ApiError') {
    const quotes = code === 400 || code === 422 || message.startsWith('admission webhook');
    return { name, ...(quotes ? {} : { message }), ...fields, causes: causes?.map(({ type, field }) => ({ type, field })) };
  }
  return { name, message, ...fields, stack, ...(cause !== undefined && { cause: printError(cause) }) };
}
