import type { JsonObject, JsonValue } from '../api/object.ts';
import { OMIT, type Value } from '../cel/value.ts';
import type {
  DefProgramNode,
  Expression,
  ListPayload,
  ObjectPayload,
  PatchProgramNode,
  Payload,
  PayloadEntries,
  RefProgramNode,
  TemplateProgramNode,
  TextPayload,
} from '../compiler/program.ts';
import { attempt, type Evaluation, type EvaluationContext, type EvaluationFailure, evaluate, misfit } from './evaluate.ts';
import { judgeIdentity, judgeManifest } from './judge-manifest.ts';
import type { Locals } from './scope.ts';
import { toJson } from './to-json.ts';
import { withoutOmitted } from './without-omitted.ts';

/** A node that is about an object of the cluster. */
export type ObjectProgramNode = TemplateProgramNode | RefProgramNode | PatchProgramNode;

/** The identity fields of one rendered item, as the payload gives them: no namespace is filled in. */
export interface RenderedIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  /** Undefined for a ref by selector. */
  readonly name: string | undefined;
}

/** A rendered value; undefined when it is left out. */
type Rendered<T> = { readonly word: 'value'; readonly value: T | undefined } | EvaluationFailure;

/** How a value that an expression gives takes its place: as JSON in a manifest, as it is in a def. */
type Place<T> = (value: Value, expression: Expression, context: EvaluationContext) => Rendered<T>;

/**
 * One item's whole payload as JSON, for a ref with its selector; what only the server sets, an identity that is none and a selector that
 * selects nothing on purpose are hard failures (graph.md 7, 9).
 */
export function renderManifest(node: ObjectProgramNode, locals: Locals, context: EvaluationContext): Evaluation<JsonObject> {
  const rendered = renderJson(node.payload, locals, context);
  if (rendered.word !== 'value') return rendered;
  const manifest = rendered.value;
  if (!isObject(manifest)) return judgeManifest(node, {});
  return judgeManifest(node, manifest);
}

/** One item's identity fields alone, so that it may be known before the rest can be rendered (graph.md 8.5). */
export function renderIdentity(node: ObjectProgramNode, locals: Locals, context: EvaluationContext): Evaluation<RenderedIdentity> {
  const { entries } = node.payload;
  const identity = new Map<string, Payload>();
  for (const field of ['apiVersion', 'kind']) keep(identity, entries, field);
  const metadata = entries.get('metadata');
  const kept = new Map<string, Payload>();
  for (const field of ['name', 'namespace']) keep(kept, entriesOf(metadata), field);
  identity.set('metadata', { kind: 'object', entries: kept });
  const rendered = renderJson({ kind: 'object', entries: identity }, locals, context);
  if (rendered.word !== 'value') return rendered;
  return judgeIdentity(node, isObject(rendered.value) ? rendered.value : {});
}

/** One item of a def, as CEL values of the types that were checked: what it publishes. */
export function renderValue(node: DefProgramNode, locals: Locals, context: EvaluationContext): Evaluation<Value> {
  const rendered = new Renderer<Value>(locals, context, asValue).render(node.payload);
  if (rendered.word !== 'value') return rendered;
  return { word: 'value', value: rendered.value ?? null };
}

/** Any payload as JSON; undefined when it is omitted. */
export function renderJson(payload: Payload, locals: Locals, context: EvaluationContext): Rendered<JsonValue> {
  return new Renderer<JsonValue>(locals, context, asJson).render(payload);
}

function asJson(value: Value, expression: Expression, context: EvaluationContext): Rendered<JsonValue> {
  return attempt(expression, context, (budget) => toJson(value, expression.type, budget));
}

function asValue(value: Value, { text }: Expression): Rendered<Value> {
  return { word: 'value', value: value === OMIT ? undefined : text.includes('omit') ? withoutOmitted(value) : value };
}

/** Walks a payload; `T` is what JSON it makes of it. */
class Renderer<T extends Value | JsonValue> {
  readonly #locals: Locals;
  readonly #context: EvaluationContext;
  readonly #place: Place<T>;

  constructor(locals: Locals, context: EvaluationContext, place: Place<T>) {
    this.#locals = locals;
    this.#context = context;
    this.#place = place;
  }

  render(payload: Payload): Rendered<T> {
    switch (payload.kind) {
      case 'literal':
        return { word: 'value', value: payload.value as T };
      case 'standalone': {
        const result = evaluate(payload.expression, this.#locals, this.#context);
        return result.word === 'value' ? this.#place(result.value, payload.expression, this.#context) : result;
      }
      case 'text':
        return this.#renderText(payload);
      case 'object':
        return this.#renderObject(payload);
      case 'list':
        return this.#renderList(payload);
      default:
        return payload satisfies never;
    }
  }

  #renderText({ parts }: TextPayload): Rendered<T> {
    const pieces: string[] = [];
    let last: Expression | undefined;
    for (const part of parts) {
      if (typeof part === 'string') {
        pieces.push(part);
        continue;
      }
      last = part;
      const result = evaluate(part, this.#locals, this.#context);
      if (result.word !== 'value') return result;
      if (typeof result.value !== 'string') return misfit(part, 'an expression with text around it must give a string');
      pieces.push(result.value);
    }
    return last === undefined ? { word: 'value', value: pieces.join('') as T } : this.#join(pieces, last);
  }

  /** The whole is one value, which costs what the parts would joined by one expression (graph.md 2.3). */
  #join(pieces: readonly string[], expression: Expression): Rendered<T> {
    return attempt(expression, this.#context, (budget) => {
      budget.grow(pieces.reduce((length, piece) => length + piece.length, 0));
      return pieces.join('') as T;
    });
  }

  #renderObject({ entries }: ObjectPayload): Rendered<T> {
    const object: Record<string, T> = {};
    for (const [name, entry] of entries) {
      const rendered = this.render(entry);
      if (rendered.word !== 'value') return rendered;
      if (rendered.value !== undefined) define(object, name, rendered.value);
    }
    return { word: 'value', value: object as unknown as T };
  }

  #renderList({ items }: ListPayload): Rendered<T> {
    const list: T[] = [];
    for (const item of items) {
      const rendered = this.render(item);
      if (rendered.word !== 'value') return rendered;
      if (rendered.value !== undefined) list.push(rendered.value);
    }
    return { word: 'value', value: list as unknown as T };
  }
}

/** Sets a field whatever its name is: `__proto__` too is a field. */
function define<T>(object: Record<string, T>, name: string, value: T): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

function keep(kept: Map<string, Payload>, entries: PayloadEntries, field: string): void {
  const entry = entries.get(field);
  if (entry !== undefined) kept.set(field, entry);
}

function entriesOf(payload: Payload | undefined): PayloadEntries {
  if (payload?.kind === 'object') return payload.entries;
  if (payload?.kind !== 'literal' || !isObject(payload.value)) return new Map();
  return new Map(Object.entries(payload.value).map(([name, value]) => [name, { kind: 'literal', value }]));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
