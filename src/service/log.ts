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
    serializers: { error: mask, err: mask },
  };
  return pino(options, stream);
}
