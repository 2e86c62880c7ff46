import { fail } from '../error.ts';
import { timestampSeconds } from '../temporal.ts';
import type { Timestamp } from '../value.ts';

/** What a clock and a calendar on a wall show. Month and day count from 1; the year before year 1 is 0. */
export interface CivilTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanos: number;
}

/** Seconds east of UTC at an instant, which is given in seconds since 1970. */
export type Zone = (seconds: number) => number;

/** UTC. */
export const utc: Zone = () => 0;

/** What a clock in a zone shows at an instant. */
export function civilTime(at: Timestamp, zone: Zone): CivilTime {
  const seconds = timestampSeconds(at);
  const local = new Date((Number(seconds) + zone(Number(seconds))) * 1000);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    nanos: Number(at.nanos - seconds * 1_000_000_000n),
  };
}

/** The zone of a name of the IANA database or of an offset; an `argument` error if there is none. */
export function zoneNamed(name: string): Zone {
  // As in Go, whose local zone is UTC in a container.
  if (name === '' || name === 'UTC' || name === 'Local') return utc;
  return name.includes(':') ? offsetZone(name) : databaseZone(name);
}

/** `-07:00`, and as cel-go reads it also `5:3`. */
function offsetZone(name: string): Zone {
  const match = /^([+-]?\d{1,9}):(\+?\d{1,9}|-0+)$/.exec(name);
  const hours = Number(match?.[1]);
  const minutes = Number(match?.[2]);
  if (!(Math.abs(hours) <= 23 && minutes <= 59)) throw fail('argument', 'no such time zone offset: expected one like -07:00');
  const offset = (hours * 60 + (name.startsWith('-') ? -minutes : minutes)) * 60;
  return () => offset;
}

function databaseZone(name: string): Zone {
  const format = formatOf(name);
  if (format === undefined) throw fail('argument', 'no such time zone: expected a name like Europe/Berlin or an offset like -07:00');
  return (seconds) => {
    const shown = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
    const field = (type: Intl.DateTimeFormatPartTypes): number => Number(shown.get(type));
    const year = shown.get('era') === 'BC' ? 1 - field('year') : field('year');
    const local = new Date(0);
    local.setUTCFullYear(year, field('month') - 1, field('day'));
    local.setUTCHours(field('hour'), field('minute'), field('second'));
    return local.getTime() / 1000 - seconds;
  };
}

/** The names of three letters that the database has; Intl knows more of its own. */
const SHORT = new Set(['CET', 'EET', 'EST', 'GMT', 'HST', 'MET', 'MST', 'PRC', 'ROC', 'ROK', 'UCT', 'WET']);

function formatOf(name: string): Intl.DateTimeFormat | undefined {
  if (!/^[A-Z]/.test(name) || name.startsWith('SystemV/') || (name.length === 3 && !SHORT.has(name))) return undefined;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
  // Names are spelt as in the database; Intl would take any case. Of an alias it tells only what it stands for.
  const known = format.resolvedOptions().timeZone;
  const spelt = known.toLowerCase() === name.toLowerCase() ? known === name : name.split('/').every((part) => /^[A-Z]/.test(part));
  return spelt ? format : undefined;
}
