import type { Budget } from '../budget.ts';
import type { Duration, Timestamp } from '../value.ts';
import { type CivilTime, civilTime, utc, type Zone, zoneNamed } from './civil-time.ts';
import { define, type FunctionDeclaration, type Library, overload } from './declare.ts';

/** Asking a zone for its offset takes some microseconds, opening it about a tenth of a millisecond. */
const LOOKUP_COST = 200;
const OPEN_COST = 2000;

/** Parts of timestamps and durations. Without a time zone they are those of UTC. */
export const time: Library = {
  name: 'time',
  doc: "Parts of timestamps, in UTC or in a time zone ('Europe/Berlin', '-07:00'), and durations in whole units.",
  functions: [
    part('getFullYear', 'The year.', (civil) => civil.year, "timestamp('2024-02-29T23:45:06Z').getFullYear()", '2024'),
    part('getMonth', 'The month, from 0.', (civil) => civil.month - 1, "timestamp('2024-02-29T23:45:06Z').getMonth()", '1'),
    part('getDate', 'The day of the month, from 1.', (civil) => civil.day, "timestamp('2024-02-29T23:45:06Z').getDate('Asia/Tokyo')", '1'),
    part(
      'getDayOfMonth',
      'The day of the month, from 0.',
      (civil) => civil.day - 1,
      "timestamp('2024-02-29T23:45:06Z').getDayOfMonth()",
      '28',
    ),
    part('getDayOfWeek', 'The day of the week; Sunday is 0.', dayOfWeek, "timestamp('2024-01-07T00:00:00Z').getDayOfWeek()", '0'),
    part('getDayOfYear', 'The day of the year, from 0.', dayOfYear, "timestamp('2024-12-31T00:00:00Z').getDayOfYear()", '365'),
    part(
      'getHours',
      'The hour of the day; for a duration, its whole hours.',
      (civil) => civil.hour,
      "timestamp('2024-01-01T00:00:00Z').getHours('-05:30')",
      '18',
      3_600_000_000_000n,
    ),
    part(
      'getMinutes',
      'The minute of the hour; for a duration, its whole minutes.',
      (civil) => civil.minute,
      "duration('1h30m').getMinutes()",
      '90',
      60_000_000_000n,
    ),
    part(
      'getSeconds',
      'The second of the minute; for a duration, its whole seconds.',
      (civil) => civil.second,
      "timestamp('2024-02-29T23:45:06Z').getSeconds()",
      '6',
      1_000_000_000n,
    ),
    part(
      'getMilliseconds',
      'The millisecond of the second; for a duration, its whole milliseconds.',
      (civil) => Math.floor(civil.nanos / 1e6),
      "timestamp('2024-02-29T23:45:06.789Z').getMilliseconds()",
      '789',
      1_000_000n,
    ),
  ],
};

function part(
  name: string,
  doc: string,
  select: (civil: CivilTime) => number,
  expression: string,
  result: string,
  unit?: bigint,
): FunctionDeclaration {
  return define(name, {
    doc,
    examples: [[expression, result]],
    overloads: [
      overload(`timestamp.${name}() -> int`, (at: Timestamp) => select(civilTime(at, utc))),
      overload(
        `timestamp.${name}(string) -> int`,
        (at: Timestamp, zone: string, budget: Budget) => select(civilTime(at, zoneOf(zone, budget))),
        { cost: () => LOOKUP_COST },
      ),
      ...(unit === undefined ? [] : [overload(`duration.${name}() -> int`, (span: Duration) => span.nanos / unit)]),
    ],
  });
}

/** The zones that an evaluation has opened. */
const zonesBy = new WeakMap<Budget, Map<string, Zone>>();

function zoneOf(name: string, budget: Budget): Zone {
  const known = zonesBy.get(budget) ?? new Map<string, Zone>();
  zonesBy.set(budget, known);
  const found = known.get(name);
  if (found !== undefined) return found;
  budget.spend(OPEN_COST);
  const zone = zoneNamed(name);
  known.set(name, zone);
  return zone;
}

function dayOfWeek(civil: CivilTime): number {
  return new Date(midnight(civil)).getUTCDay();
}

function dayOfYear(civil: CivilTime): number {
  return (midnight(civil) - midnight({ ...civil, month: 1, day: 1 })) / 86_400_000;
}

function midnight({ year, month, day }: CivilTime): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}
