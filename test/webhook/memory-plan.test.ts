import t from 'tap';
import { planMemory } from '../../webhook/memory-plan.ts';

const MEBIBYTE = 1024 * 1024;
const machineBytes = 16 * 1024 * MEBIBYTE;
/** As cgroups say "no limit". */
const NO_LIMIT = 18446744073709552000;

const rows: [title: string, megabytes: number, cores: number, threads: number][] = [
  ['the limit of the chart', 512, 2, 2],
  ['the limit of the chart, on one core: still one thread beside the one that is busy', 512, 1, 2],
  ['the limit of the chart, on many cores', 512, 16, 2],
  ['a limit that is too small for two', 256, 4, 1],
  ['a limit that is small beyond reason', 64, 4, 1],
  ['1 GiB on many cores', 1024, 16, 4],
  ['4 GiB on three cores', 4096, 3, 3],
];

for (const [title, megabytes, cores, threads] of rows) {
  t.test(title, async (t) => {
    const plan = planMemory({ limitBytes: megabytes * MEBIBYTE, machineBytes, cores });
    t.equal(plan.threads, threads);
    t.ok(plan.oldMegabytes >= 56 && plan.youngMegabytes >= 24, 'a thread can compile the largest Graph');
    const sum = plan.threads * (plan.oldMegabytes + plan.youngMegabytes) + (3 * plan.bodyBytes) / MEBIBYTE;
    if (megabytes >= 256) t.ok(sum + 0.25 * megabytes + 80 < megabytes * 1.1, `${sum} MiB of threads and bodies leave room for the rest`);
  });
}

t.test('no limit, a limit of 0 and one above the machine: it stays modest', async (t) => {
  const plans = [NO_LIMIT, 0, 2 * machineBytes].map((limitBytes) => planMemory({ limitBytes, machineBytes, cores: 8 }));
  const modest = planMemory({ limitBytes: 1024 * MEBIBYTE, machineBytes, cores: 8 });
  for (const plan of plans) t.strictSame(plan, modest);
});
