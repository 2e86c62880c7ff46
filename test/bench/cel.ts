import { celEnv, parse as parseBufbuild, plan as planBufbuild } from '@bufbuild/cel';
import { Environment as OtherEnvironment } from '@marcbachmann/cel-js';
import { Budget } from '../../src/cel/budget.ts';
import { check } from '../../src/cel/check.ts';
import { Environment } from '../../src/cel/environment.ts';
import { parse } from '../../src/cel/parse.ts';
import { plan } from '../../src/cel/plan.ts';
import { dynType, type Type } from '../../src/cel/type.ts';
import type { Value } from '../../src/cel/value.ts';
import { celTypeOf } from '../../src/schema/cel-type.ts';
import { inlineSchema, type RawSchema } from '../../src/schema/openapi.ts';

const text: RawSchema = { type: 'string' };
const podSchema: RawSchema = {
  type: 'object',
  properties: {
    metadata: {
      type: 'object',
      properties: { name: text, namespace: text, labels: { type: 'object', additionalProperties: text } },
    },
    spec: { type: 'object', properties: { replicas: { type: 'integer' }, nodeName: text } },
    status: {
      type: 'object',
      properties: {
        phase: text,
        conditions: { type: 'array', items: { type: 'object', properties: { type: text, status: text } } },
      },
    },
  },
};

/** A benchmark: an expression; the other engines' form of it where theirs differs. Undefined: they cannot do it. */
interface Case {
  readonly name: string;
  readonly expression: string;
  readonly bufbuild?: string | undefined;
}

const cases: readonly Case[] = [
  { name: 'field path', expression: 'pod.metadata.name' },
  { name: 'ternary', expression: "pod.status.phase == 'Running' ? pod.metadata.name : 'none'" },
  { name: 'filter+map of 1,000', expression: "pods.filter(p, p.status.phase == 'Running').map(p, p.metadata.name)" },
  { name: 'concatenation', expression: "'http://' + pod.metadata.name + '.' + pod.metadata.namespace + '.svc'" },
  { name: 'exists', expression: "pod.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')" },
  {
    name: 'has chain',
    expression: "has(pod.metadata) && has(pod.metadata.labels) && has(pod.metadata.labels.app) && pod.metadata.labels.app == 'web'",
  },
  { name: 'optional chain', expression: "pod.?metadata.?labels.?tier.orValue('none')", bufbuild: undefined },
];

function pod(index: number): Value {
  return {
    metadata: { name: `web-${index}`, namespace: 'shop', labels: { app: 'web' } },
    spec: { replicas: 3, nodeName: 'n1' },
    status: {
      phase: index % 2 === 0 ? 'Running' : 'Pending',
      conditions: [
        { type: 'PodScheduled', status: 'True' },
        { type: 'Initialized', status: 'True' },
        { type: 'Ready', status: 'True' },
      ],
    },
  };
}

/**
 * Evaluates seven expressions with this engine (typed and dyn) and two others, interleaved in rounds, and prints a Markdown table of
 * nanoseconds and ratios (above 1: this engine is faster). The best round of each counts.
 */
export async function run(): Promise<void> {
  const values: Record<string, Value> = { pod: pod(0), pods: Array.from({ length: 1000 }, (_, index) => pod(index)) };
  const typed = celTypeOf(inlineSchema(podSchema, 'Pod'));
  const typedPods = celTypeOf(inlineSchema({ type: 'array', items: podSchema }, 'Pods'));
  console.log('| expression | typed ns | dyn ns | cel-js ns | bufbuild ns | typed vs cel-js | dyn vs cel-js | typed vs bufbuild |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const each of cases) {
    const runs = [
      own(
        each.expression,
        new Map([
          ['pod', typed],
          ['pods', typedPods],
        ]),
        values,
      ),
      own(
        each.expression,
        new Map<string, Type>([
          ['pod', dynType],
          ['pods', dynType],
        ]),
        values,
      ),
      other(each.expression, values),
      each.name === 'optional chain' ? undefined : bufbuild(each.expression, values),
    ];
    const [mine = 0, dyn = 0, js = 0, buf] = measure(runs);
    const ratio = (theirs: number | undefined, ours: number): string => (theirs === undefined ? '-' : (theirs / ours).toFixed(2));
    const shown = [mine, dyn, js, buf].map((nanos) => (nanos === undefined ? '-' : nanos.toFixed(0)));
    console.log(`| ${each.name} | ${shown.join(' | ')} | ${ratio(js, mine)} | ${ratio(js, dyn)} | ${ratio(buf, mine)} |`);
  }
}

type Run = () => unknown;

const SLICE_NANOS = 4_000_000;

function own(expression: string, types: ReadonlyMap<string, Type>, values: Readonly<Record<string, Value>>): Run {
  const parsed = parse(expression);
  if (parsed.ast === undefined) throw new Error(`${expression} does not parse`);
  const { checked } = check(parsed.ast, Environment.standard().with(types));
  if (checked === undefined) throw new Error(`${expression} does not check`);
  const evaluate = plan(checked);
  const lookUp = (name: string): Value | undefined => values[name];
  return () => evaluate(lookUp, new Budget());
}

function other(expression: string, values: Readonly<Record<string, Value>>): Run {
  const program = new OtherEnvironment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true }).parse(expression);
  return () => program(values);
}

function bufbuild(expression: string, values: Readonly<Record<string, Value>>): Run {
  const evaluate = planBufbuild(celEnv(), parseBufbuild(expression));
  return () => evaluate(values as Parameters<typeof evaluate>[0]);
}

/** Nanoseconds of one call of each, the best of many short interleaved rounds: other work on the machine then touches all alike. */
function measure(runs: readonly (Run | undefined)[]): readonly (number | undefined)[] {
  const counts = runs.map((each) => (each === undefined ? 0 : calibrate(each)));
  const best = runs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 40; round++) {
    runs.forEach((each, at) => {
      if (each === undefined) return;
      const count = counts[at] ?? 1;
      // Not timed: the garbage of the engine before is collected now.
      time(each, count);
      best[at] = Math.min(best[at] ?? Number.POSITIVE_INFINITY, time(each, count));
    });
  }
  return runs.map((each, at) => (each === undefined ? undefined : best[at]));
}

/** How many calls fill a slice, once the code is warm. */
function calibrate(each: Run): number {
  const warm = performance.now() + 150;
  while (performance.now() < warm) time(each, 20);
  const nanos = Math.min(...Array.from({ length: 10 }, () => time(each, 50)));
  return Math.max(1, Math.ceil(SLICE_NANOS / nanos));
}

function time(each: Run, count: number): number {
  const start = process.hrtime.bigint();
  for (let at = 0; at < count; at++) each();
  return Number(process.hrtime.bigint() - start) / count;
}

if (import.meta.main) await run();
