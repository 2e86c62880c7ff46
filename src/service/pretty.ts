import { styleText } from 'node:util';

const COLOURS = { trace: 'gray', debug: 'cyan', info: 'green', warn: 'yellow', error: 'red', fatal: 'magenta' } as const;

/** One JSON line of the log as a line for people: time, level, message, fields; a stack follows below. */
export function prettyLine(line: string, isColoured: boolean): string {
  const { level, time, msg, logger, error, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const { stack, ...facts } = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : { stack: undefined };
  const shown = Object.keys(facts).length === 0 ? fields : { ...fields, error: facts };
  const parts = [
    String(time).slice(11, 23),
    colour(String(level), isColoured),
    `${String(logger)}:`,
    String(msg ?? ''),
    ...Object.entries(shown).map(([name, value]) => `${name}=${printValue(value)}`),
  ];
  return `${parts.filter((part) => part !== '').join(' ')}\n${stack === undefined ? '' : `${String(stack)}\n`}`;
}

function printValue(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

function colour(level: string, isColoured: boolean): string {
  const padded = level.toUpperCase().padEnd(5);
  const known = Object.entries(COLOURS).find(([name]) => name === level);
  return isColoured && known !== undefined ? styleText(known[1], padded, { validateStream: false }) : padded;
}
