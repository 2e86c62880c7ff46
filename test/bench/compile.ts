import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compile } from '../../src/compiler/compile.ts';
import { testSnapshot } from '../support/schemas.ts';

const SIZES = [10, 50, 200, 1000] as const;
const ROUNDS = 3;
const ROUND_MILLISECONDS = 1500;
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

interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * Graphs compiled per second on one core with schemas warm, as ratios to the Go implementation's figures; how cost grows with the size;
 * and what compiled Graphs hold in memory. Nothing is kept between two compilations but the schemas: each parses its text anew.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kro-graph-bench-'));
  try {
    execFileSync('python3', [join(import.meta.dirname, 'tools/workloads.py'), 'corpus', folder, '--sizes', SIZES.join(',')]);
    printSpeed(folder);
    printMemory(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function printSpeed(folder: string): void {
  print('| workload | nodes | Graphs/s | times Go | p50 ms | p99 ÷ p50 | ms a node, against 50 nodes |');
  print('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const [kind, reference] of Object.entries(GO_IMPLEMENTATION)) {
    let perNodeAt50 = Number.NaN;
    for (const [index, size] of SIZES.entries()) {
      const { perSecond, p50, p99 } = measure(join(folder, `${kind}-${String(size).padStart(4, '0')}.yaml`));
      const perNode = p50 / size;
      if (size === 50) perNodeAt50 = perNode;
      const growth = size < 50 ? '' : (perNode / perNodeAt50).toFixed(2);
      const ratio = perSecond / (reference[index] ?? Number.NaN);
      print(
        `| ${kind} | ${size} | ${perSecond.toFixed(1)} | ${ratio.toFixed(1)} | ${p50.toFixed(2)} | ${(p99 / p50).toFixed(2)} | ${growth} |`,
      );
    }
  }
}

/** The best of three rounds, since noise only ever slows. */
function measure(file: string): Figures {
  const text = readFileSync(file, 'utf8');
  const rounds = Array.from({ length: ROUNDS }, () => measureRound(text));
  return rounds.reduce((best, round) => (round.perSecond > best.perSecond ? round : best));
}

function measureRound(text: string): Figures {
  const schemas = testSnapshot();
  const times: number[] = [];
  const begun = performance.now();
  while (performance.now() - begun < ROUND_MILLISECONDS || times.length < 3) {
    const graph: unknown = JSON.parse(text);
    const start = performance.now();
    const { program, diagnostics } = compile({ graph, schemas });
    times.push(performance.now() - start);
    if (program === undefined) throw new Error(`the workload does not compile: ${diagnostics[0]?.path} ${diagnostics[0]?.message}`);
  }
  times.sort((a, b) => a - b);
  const total = times.reduce((sum, time) => sum + time, 0);
  return { perSecond: (times.length * 1000) / total, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

function printMemory(folder: string): void {
  const schemas = testSnapshot();
  const text = readFileSync(join(folder, 'mixed-0010.yaml'), 'utf8');
  const before = heapUsed();
  const programs = Array.from({ length: KEPT_GRAPHS }, (_, index) =>
    compile({ graph: JSON.parse(text.replaceAll('"g-', `"g${index}-`)), schemas }),
  );
  const held = (heapUsed() - before) / MEBIBYTE;
  print(`\n${programs.length} compiled Graphs of 10 nodes hold ${held.toFixed(1)} MiB.`);
}

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
