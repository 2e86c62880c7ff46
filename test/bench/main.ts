/** `npm run bench [-- NAME...]`: each benchmark prints ratios of figures taken in one run, and asserts nothing about time. */
interface Benchmark {
  readonly title: string;
  readonly load: () => Promise<{ readonly run: () => Promise<void> }>;
}

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  cel: { title: 'evaluating expressions, against other engines for JavaScript', load: () => import('./cel.ts') },
  compile: { title: 'compiling Graphs, against the Go implementation', load: () => import('./compile.ts') },
  webhook: { title: 'admissions under load, against a bare TLS echo', load: () => import('./webhook.ts') },
  converge: { title: 'reconciling, against what the API server can do', load: () => import('./converge.ts') },
  foreign: { title: 'memory beside many Pods that no Graph made', load: () => import('./foreign.ts') },
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  process.stderr.write(`no benchmark "${unknown.join('", "')}"; there are ${Object.keys(BENCHMARKS).join(', ')}\n`);
  process.exit(2);
}
for (const [name, { title, load }] of Object.entries(BENCHMARKS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  process.stdout.write(`\n## ${name}: ${title}\n\n`);
  await (await load()).run();
}
