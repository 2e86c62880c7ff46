import { Parser, type Result } from 'tap-parser';

/** What a test run came to. A test is one assertion; a file or subtest that fails without a failed assertion in it is one too. */
export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

/** The run's last line. */
export function printTotals({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** A report that is being written. */
export interface TapReport {
  /** The run's TAP goes in here. */
  readonly parser: Parser;
  readonly totals: Totals;
  /** Names of the files that have been reported. */
  readonly files: ReadonlySet<string>;
}

/** Reads a run's TAP, one subtest per file, and says by `print` how each file went, with every failure in full. */
export function reportTap(print: (line: string) => void): TapReport {
  const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  const files = new Set<string>();
  const parser = new Parser();
  let file: Totals = { passed: 0, failed: 0, skipped: 0 };
  let failures: string[] = [];

  const countLeaf = (result: Result, path: string): void => {
    if (result.skip || result.todo) file.skipped += 1;
    else if (result.ok) file.passed += 1;
    else {
      file.failed += 1;
      failures.push(describe(path, result));
    }
  };

  const follow = (level: Parser, path: readonly string[]): void => {
    let child: { readonly failedBefore: number } | undefined;
    level.on('child', (inner: Parser) => {
      child = { failedBefore: file.failed };
      follow(inner, [...path, inner.name]);
    });
    level.on('assert', (result: Result) => {
      const subtest = child;
      child = undefined;
      const name = [...path, result.name].join(' > ');
      if (subtest === undefined) countLeaf(result, name);
      else if (!result.ok && file.failed === subtest.failedBefore) countLeaf(result, name);
      else if (result.skip && path.length > 0) file.skipped += 1;
    });
  };
  follow(parser, []);

  // Registered after `follow`: what belongs to the file has been counted when its own result arrives.
  parser.on('assert', (result: Result) => {
    // tap reports a file that ran out of time once more at the end of the run.
    if (files.has(String(result.diag?.['expired']))) file = { passed: 0, failed: 0, skipped: 0 };
    else {
      if (file.passed + file.failed + file.skipped === 0) {
        file.failed = 1;
        failures.push(describe(`${result.name} has no tests`, result));
      }
      files.add(result.name);
      print(`${file.failed > 0 ? 'not ok' : 'ok'} ${result.name}: ${printTotals(file)}, ${seconds(result.time)}`);
      for (const failure of failures) print(failure);
    }
    totals.passed += file.passed;
    totals.failed += file.failed;
    totals.skipped += file.skipped;
    file = { passed: 0, failed: 0, skipped: 0 };
    failures = [];
  });
  return { parser, totals, files };
}

function describe(path: string, { diag }: Pick<Result, 'diag'>): string {
  const shown = Object.entries(diag ?? {}).filter(
    ([key, value]) => value !== null && ['diff', 'found', 'wanted', 'stack', 'signal', 'exitCode', 'message'].includes(key),
  );
  const lines = shown.flatMap(([key, value]) => [
    `    ${key}:`,
    ...text(value)
      .trimEnd()
      .split('\n')
      .map((line) => `      ${line}`),
  ]);
  return [`  failed: ${path}`, ...lines].join('\n');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

function seconds(milliseconds: number | null): string {
  return `${((milliseconds ?? 0) / 1000).toFixed(1)} s`;
}
