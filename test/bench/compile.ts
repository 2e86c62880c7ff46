import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compile } from '../../src/compiler/compile.ts';
import type { Program } from '../../src/compiler/program.ts';
import { testSnapshot } from '../support/schemas.ts';

const SIZES = [10, 50, 200, 1000] as const;
const ROUNDS = 5;
/** CPU time that one workload takes in one round: enough for a p99 of the slower ones, too. */
const ROUND_MILLISECONDS = 500;
/** A p99 of fewer compilations would be their slowest. */
const LEAST_FOR_P99 = 200;
const KEPT_GRAPHS = 1000;
const MEBIBYTE = 1024 * 1024;

/** Graphs per second of the Go implementation on a machine of this kind, one core, schemas warm, at each of SIZES. */
const GO_IMPLEMENTATION: Readonly<Record<string, readonly number[]>> = {
  chain: [326, 62, 11, 0.86],
  mixed: [355, 70, 12.6, 1.04],
  nested: [565, 81, 16, 1.9],
  patch: [1300, 262, 41, 2.1],
  webapp: [67, 12, 2.5, 0.32],
};

/** One file of the corpus, and what compiling it has taken. */
interface Workload {
  readonly kind: string;
  readonly size: number;
  readonly goPerSecond: number;
  readonly text: string;
  /** Milliseconds of CPU that each compilation of each round took. */
  readonly rounds: number[][];
}

/**
 * Graphs compiled on one core with schemas warm, as ratios to the Go implementation's figures; how cost grows with the size; and what
 * compiled Graphs hold in memory. Nothing is kept between two compilations but the schemas: each parses its text anew.
 *
 * Time is CPU time of the whole process, the threads of the garbage collector with it, and the workloads take turns, round by round, so that
 * what else the machine does concerns all alike; of the rounds the best counts, since noise only ever slows.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kro-graph-bench-'));
  try {
    execFileSync('python3', [join(import.meta.dirname, 'tools/workloads.py'), 'corpus', folder, '--sizes', SIZES.join(',')]);
    const workloads = Object.entries(GO_IMPLEMENTATION).flatMap(([kind, figures]) =>
      SIZES.map((size, index): Workload => {
        const text = readFileSync(fileOf(folder, kind, size), 'utf8');
        return { kind, size, goPerSecond: figures[index] ?? Number.NaN, text, rounds: [] };
      }),
    );
    for (const { text } of workloads) compileFor(text, ROUND_MILLISECONDS);
    for (let round = 0; round < ROUNDS; round++)
      for (const { text, rounds } of workloads) rounds.push(compileFor(text, ROUND_MILLISECONDS));
    printSpeed(workloads);
    printMemory(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compiles one text again and again; gives the milliseconds of CPU that each time took. */
function compileFor(text: string, milliseconds: number): number[] {
  const times: number[] = [];
  for (let total = 0; total < milliseconds || times.length < 3; ) {
    const time = timeOf(text);
    times.push(time);
    total += time;
  }
  return times;
}

/** Of one compilation; a function of its own, for what its caller still held would be work of the collector in the next. */
function timeOf(text: string): number {
  const schemas = testSnapshot();
  const graph: unknown = JSON.parse(text);
  const begun = process.cpuUsage();
  const { program, diagnostics } = compile({ graph, schemas });
  const { user, system } = process.cpuUsage(begun);
  if (program === undefined) throw new Error(`the workload does not compile: ${diagnostics[0]?.path} ${diagnostics[0]?.message}`);
  return (user + system) / 1000;
}

function printSpeed(workloads: readonly Workload[]): void {
  print('| workload | nodes | Graphs/s | times Go | p50 ms | p99 ÷ p50 | ms a node, against 50 nodes |');
  print('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const workload of workloads) {
    const { kind, size, goPerSecond, rounds } = workload;
    const best = bestMean(workload);
    const at50 = workloads.find((other) => other.kind === kind && other.size === 50) ?? workload;
    const growth = size < 50 ? '' : (best / size / (bestMean(at50) / at50.size)).toFixed(2);
    const { p50, p99 } = latency(rounds);
    const ratio = (1000 / best / goPerSecond).toFixed(1);
    print(`| ${kind} | ${size} | ${(1000 / best).toFixed(1)} | ${ratio} | ${p50.toFixed(2)} | ${(p99 / p50).toFixed(2)} | ${growth} |`);
  }
}

function bestMean({ rounds }: Workload): number {
  return Math.min(...rounds.map((times) => times.reduce((sum, time) => sum + time, 0) / times.length));
}

/** Of the quietest round where it is long enough for a p99, else of all rounds together. */
function latency(rounds: readonly (readonly number[])[]): { readonly p50: number; readonly p99: number } {
  const long = rounds.filter((times) => times.length >= LEAST_FOR_P99);
  const sets = (long.length > 0 ? long : [rounds.flat()]).map((times) => times.toSorted((a, b) => a - b));
  const quantiles = sets.map((sorted) => ({ p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }));
  return quantiles.reduce((best, one) => (one.p99 < best.p99 ? one : best));
}

function printMemory(folder: string): void {
  print(`\n| workload | MiB that ${KEPT_GRAPHS} compiled Graphs of 10 nodes hold |`);
  print('| --- | ---: |');
  for (const kind of Object.keys(GO_IMPLEMENTATION)) {
    const text = readFileSync(fileOf(folder, kind, 10), 'utf8');
    heldBy(text);
    print(`| ${kind} | ${(heldBy(text) / MEBIBYTE).toFixed(1)} |`);
  }
}

/** The heap that a thousand Programs of a text hold, in a frame of its own: nothing of it is held when the next is measured. */
function heldBy(text: string): number {
  const before = heapUsed();
  const kept = compileMany(text);
  const after = heapUsed();
  if (kept.includes(undefined)) throw new Error('the workload does not compile');
  return after - before;
}

/** Graphs of different names, as a fleet's are. */
function compileMany(text: string): readonly (Program | undefined)[] {
  const schemas = testSnapshot();
  return Array.from({ length: KEPT_GRAPHS }, (_, index) => {
    const graph: unknown = JSON.parse(text.replaceAll('"g-', `"g${index}-`));
    return compile({ graph, schemas }).program;
  });
}

function fileOf(folder: string, kind: string, size: number): string {
  return join(folder, `${kind}-${String(size).padStart(4, '0')}.yaml`);
}

/** Twice, for what the first collection makes free may hold more. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  for (let round = 0; round < 2; round++) if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
