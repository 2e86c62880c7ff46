import type { JsonObject } from '../src/api/object.ts';
import { type Identity, identityKey, parseApiVersion, type ResourceKind } from '../src/api/object.ts';
import { Budget, EXPRESSION_LIMITS } from '../src/cel/budget.ts';
import type { Value } from '../src/cel/value.ts';
import type { Payload, Program, ProgramNode } from '../src/compiler/program.ts';
import { type Diagnostic, defineDiagnostic } from '../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../src/diagnostic/path.ts';
import { type Foreseen, foresee } from '../src/engine/foresee.ts';
import type { EvaluationContext } from '../src/runtime/evaluate.ts';
import { expand } from '../src/runtime/expand.ts';
import { renderManifest, renderValue } from '../src/runtime/render.ts';
import { type Locals, Scope } from '../src/runtime/scope.ts';
import { LONGEST_WARNING, PLAN_CODE } from './warnings.ts';

const plan = defineDiagnostic({
  code: PLAN_CODE,
  severity: 'warning',
  message: ({ text }: { text: string }) => text,
});

/** What a plan is made from: all of it stands in the review, nothing is read. */
export interface PlanInput {
  readonly namespace: string;
  readonly program: Program;
  /** The spec as it is stored; undefined on CREATE, or when it does not compile. */
  readonly oldProgram: Program | undefined;
  /** The Graph as it is stored, with its inventory. */
  readonly oldGraph: JsonObject | undefined;
  /** Undefined: the kind is not served. */
  readonly isNamespaced: (kind: ResourceKind) => boolean | undefined;
  readonly steps: PlanSteps;
}

/** What expressions may take, as in the controller, whose limits these are: what it would not evaluate is not foreseen. */
export interface PlanSteps {
  readonly expression: number;
  readonly reconcile: number;
}

/** As many steps as a reconcile of a middling Graph takes; a Graph that needs more gets no plan. */
const MOST_STEPS = 2_000_000;
const SIZE = 16 * EXPRESSION_LIMITS.size;

interface PlannedObject {
  readonly title: string;
  /** The manifest as JSON; undefined while it rests on what only the cluster knows. */
  readonly manifest: string | undefined;
  /** What the manifest is made from: literals and expressions. */
  readonly source: string;
}

/**
 * What a Graph would create, change and prune, in one warning, if that can be told from the review alone: by the names that it renders and the
 * inventory in its status (graph.md 14.6). Undefined when names need live values.
 */
export async function planOf({
  namespace,
  program,
  oldProgram,
  oldGraph,
  isNamespaced,
  steps,
}: PlanInput): Promise<Diagnostic | undefined> {
  const wanted = await objectsOf(program, { namespace, isNamespaced, steps });
  if (wanted === undefined) return undefined;
  const before = oldProgram === undefined ? undefined : await objectsOf(oldProgram, { namespace, isNamespaced, steps });
  const inventory = inventoryOf(oldGraph, namespace);
  if (before === undefined && inventory.size > 0) return undefined;
  const creates: string[] = [];
  const changes: string[] = [];
  for (const [key, object] of wanted) {
    if (!inventory.has(key)) creates.push(object.title);
    else if (isChanged(before?.get(key), object)) changes.push(object.title);
  }
  const prunes = [...inventory].flatMap(([key, title]) => (wanted.has(key) ? [] : [title]));
  return plan({ text: sentence({ creates, changes, prunes }) }, { path: FieldPath.root });
}

function isChanged(before: PlannedObject | undefined, { manifest, source }: PlannedObject): boolean {
  if (before?.manifest === undefined || manifest === undefined) return before?.source !== source;
  return before.manifest !== manifest;
}

type Surroundings = Pick<PlanInput, 'namespace' | 'isNamespaced' | 'steps'>;

/** The objects of all templates by identity; undefined when not all of them can be known. */
async function objectsOf(program: Program, surroundings: Surroundings): Promise<ReadonlyMap<string, PlannedObject> | undefined> {
  const { expression, reconcile } = surroundings.steps;
  const budget = new Budget({ steps: Math.min(MOST_STEPS, reconcile), size: SIZE }, { steps: expression, size: EXPRESSION_LIMITS.size });
  const evaluation: EvaluationContext = { scope: new Scope(), budget };
  const foreseen = (await foresee(program, evaluation, async () => {})).filter(({ node }) => node.kind === 'template');
  const bindings = bindingsOf(program, foreseen, evaluation);
  if (bindings === undefined) return undefined;
  publishRest(program, evaluation);
  const objects = new Map<string, PlannedObject>();
  for (const one of foreseen) {
    const identity = placed(one, surroundings);
    if (identity === undefined) return undefined;
    objects.set(identityKey(identity), {
      title: titleOf(identity, surroundings.namespace),
      manifest: manifestOf(one, bindings.get(one.node), evaluation),
      source: sourceOf(one.node.payload),
    });
  }
  return objects;
}

/** The bindings of every template that is not skipped; undefined when one of its items, or their number, is not known. */
function bindingsOf(
  { nodes, collectionLimit }: Program,
  foreseen: readonly Foreseen[],
  evaluation: EvaluationContext,
): ReadonlyMap<ProgramNode, readonly Locals[]> | undefined {
  const found = Map.groupBy(foreseen, ({ node }): ProgramNode => node);
  const bindings = new Map<ProgramNode, readonly Locals[]>();
  for (const node of nodes) {
    if (node.kind !== 'template' || evaluation.scope.isSkipped(node)) continue;
    const items = expand(node, evaluation, collectionLimit);
    if (items.word !== 'value' || items.value.length !== (found.get(node)?.length ?? 0)) return undefined;
    bindings.set(node, items.value);
  }
  return bindings;
}

/** Names need few nodes; manifests need the others also, as far as they can be rendered. */
function publishRest({ nodes, collectionLimit }: Program, evaluation: EvaluationContext): void {
  const { scope } = evaluation;
  for (const node of nodes) {
    if ((node.kind !== 'template' && node.kind !== 'def') || scope.isSkipped(node) || scope.valueOf(node) !== undefined) continue;
    const items = expand(node, evaluation, collectionLimit);
    if (items.word !== 'value') continue;
    const values = items.value.flatMap((locals): Value[] => {
      const rendered = node.kind === 'def' ? renderValue(node, locals, evaluation) : renderManifest(node, locals, evaluation);
      return rendered.word === 'value' ? [rendered.value as Value] : [];
    });
    const [first] = values;
    if (values.length !== items.value.length) continue;
    if (node.publishesList) scope.publish(node, values);
    else if (first !== undefined) scope.publish(node, first);
  }
}

function placed({ identity, apiVersion }: Foreseen, { namespace, isNamespaced }: Surroundings): Identity | undefined {
  const parsed = parseApiVersion(apiVersion);
  const namespaced = parsed === undefined ? undefined : isNamespaced({ ...parsed, kind: identity.kind });
  if (namespaced === undefined) return undefined;
  return { ...identity, namespace: namespaced ? identity.namespace || namespace : '' };
}

function manifestOf({ node, item }: Foreseen, bindings: readonly Locals[] | undefined, evaluation: EvaluationContext): string | undefined {
  const locals = bindings?.[item];
  if (locals === undefined) return undefined;
  const rendered = renderManifest(node, locals, evaluation);
  return rendered.word === 'value' ? JSON.stringify(rendered.value, printInteger) : undefined;
}

function sourceOf(payload: Payload): string {
  switch (payload.kind) {
    case 'literal':
      return JSON.stringify(payload.value, printInteger) ?? '';
    case 'standalone':
      return `\${${payload.expression.text}}`;
    case 'text':
      return payload.parts.map((part) => (typeof part === 'string' ? JSON.stringify(part) : `\${${part.text}}`)).join('');
    case 'object':
      return `{${[...payload.entries].map(([key, value]) => `${JSON.stringify(key)}:${sourceOf(value)}`).join()}}`;
    case 'list':
      return `[${payload.items.map(sourceOf).join()}]`;
    default:
      return payload satisfies never;
  }
}

function printInteger(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** What the status says that the Graph has applied, by identity. Anybody may have written it: only its shape is trusted. */
function inventoryOf(graph: JsonObject | undefined, graphNamespace: string): ReadonlyMap<string, string> {
  const entries = fieldOf(fieldOf(graph, 'status'), 'managedResources');
  const found = new Map<string, string>();
  for (const entry of Array.isArray(entries) ? entries : []) {
    const [apiVersion, kind, name, namespace] = ['apiVersion', 'kind', 'name', 'namespace'].map((field) => fieldOf(entry, field));
    const group = typeof apiVersion === 'string' ? parseApiVersion(apiVersion)?.group : undefined;
    if (group === undefined || typeof kind !== 'string' || typeof name !== 'string') continue;
    const identity = { group, kind, name, namespace: typeof namespace === 'string' ? namespace : '' };
    found.set(identityKey(identity), titleOf(identity, graphNamespace));
  }
  return found;
}

/** `ConfigMap a`, of another namespace than the Graph's `ConfigMap b/a`: two objects of one name are told apart. */
function titleOf({ kind, name, namespace }: Identity, graphNamespace: string): string {
  return namespace === '' || namespace === graphNamespace ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}

/** `creates ConfigMap a, changes Deployment b, prunes Service c`; where that is too long, numbers in place of the longest list. */
function sentence(lists: Readonly<Record<string, readonly string[]>>): string {
  const parts = Object.entries(lists)
    .filter(([, titles]) => titles.length > 0)
    .map(([verb, titles]) => ({ verb, titles, text: titles.join(', ') }));
  if (parts.length === 0) return 'changes nothing';
  const print = (): string => parts.map(({ verb, text }) => `${verb} ${text}`).join('; ');
  const room = LONGEST_WARNING - `${PLAN_CODE}: `.length;
  for (const part of parts.toSorted((a, b) => b.text.length - a.text.length)) {
    if (print().length <= room) break;
    part.text = part.titles.length === 1 ? '1 object' : `${part.titles.length} objects`;
  }
  return print();
}
