import { type Alias, isAlias, isMap, isPair, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';
import type { JsonValue } from '../api/object.ts';
import type { FieldPath } from '../diagnostic/path.ts';
import { NotJson } from './scalar.ts';

/** Aliases may make a small file large: so many values, all in all, are read of a document. */
const MOST_VALUES = 1_000_000;

/** Of keys that stand in one document twice the first are told. */
const MOST_REPEATED = 5;

/** Why a value cannot be read, and where. */
interface NodeFault {
  readonly message: string;
  readonly offset: number;
}

/** Makes the JSON value of a YAML document, as kubectl does: keys become text, aliases and merge keys what they stand for. */
export class NodeReader {
  readonly faults: NodeFault[] = [];
  /** What can be read, but hardly as it was meant. */
  readonly doubts: NodeFault[] = [];
  readonly #anchors = new Map<string, Node>();
  /** Anchors that are being read: an alias to one of them would never end. */
  readonly #open = new Set<Node>();
  readonly #repeated = new Set<unknown>();
  #values = 0;

  read(node: unknown): JsonValue {
    if (isAlias(node)) return this.#readAlias(node);
    this.#values += 1;
    if (this.#values > MOST_VALUES) {
      if (this.#values === MOST_VALUES + 1) this.#fail(`more than ${MOST_VALUES} values, aliases counted as what they stand for`, node);
      return null;
    }
    if (isScalar(node)) {
      this.#anchor(node);
      return this.#readScalar(node);
    }
    if (isSeq(node)) {
      this.#anchor(node);
      this.#open.add(node);
      const list = node.items.map((item) => this.read(item));
      this.#open.delete(node);
      return list;
    }
    return isMap(node) ? this.#readMap(node) : null;
  }

  #readMap(map: YAMLMap): JsonValue {
    this.#anchor(map);
    this.#open.add(map);
    const own = new Map<string, JsonValue>();
    const merged = new Map<string, JsonValue>();
    for (const { key, value } of map.items) {
      if (isScalar(key) && isMergeKey(key)) {
        this.#merge(value, merged);
        continue;
      }
      const name = this.#readKey(key);
      if (own.has(name)) this.#refuseRepeated(key);
      own.set(name, this.read(value));
    }
    this.#open.delete(map);
    for (const [key, value] of merged) if (!own.has(key)) own.set(key, value);
    return Object.fromEntries(own);
  }

  /** Each key once, though an alias may have its map read again. The parser would compare every key of a map with all others. */
  #refuseRepeated(key: unknown): void {
    if (this.#repeated.has(key) || this.#repeated.size === MOST_REPEATED) return;
    this.#repeated.add(key);
    this.#fail('the key stands here a second time', key);
  }

  /** Of several merged maps the first that has a key gives its value. */
  #merge(source: unknown, into: Map<string, JsonValue>): void {
    const value = this.read(source);
    for (const map of isJsonList(value) ? value : [value]) {
      if (typeof map !== 'object' || map === null || isJsonList(map)) this.#fail('a merge key needs a map, or a list of maps', source);
      else for (const [key, member] of Object.entries<JsonValue>(map)) if (!into.has(key)) into.set(key, member);
    }
  }

  #readKey(key: unknown): string {
    const target = isAlias(key) ? this.#anchors.get(key.source) : key;
    const text = isScalar(target) ? keyText(target.value) : undefined;
    if (isScalar(key)) this.#anchor(key);
    if (isScalar(target)) this.#doubtKey(target);
    if (text === undefined) this.#fail('a key must be text, a number or a bool', key);
    return text ?? '';
  }

  /** `y: 1` is the key `true` to kubectl, which no one who writes it means. */
  #doubtKey({ value, source, range }: Scalar): void {
    if (typeof value !== 'boolean' || source === undefined || source.toLowerCase() === String(value)) return;
    this.doubts.push({ message: `the key ${source} is read as ${value}, as kubectl reads it: put it in quotes`, offset: range?.[0] ?? 0 });
  }

  #readAlias(alias: Alias): JsonValue {
    const target = this.#anchors.get(alias.source);
    if (target === undefined) this.#fail(`no anchor "${alias.source}" stands before this`, alias);
    else if (this.#open.has(target)) this.#fail(`"${alias.source}" contains itself`, alias);
    else return this.read(target);
    return null;
  }

  #readScalar({ value, range }: Scalar): JsonValue {
    if (value instanceof NotJson) {
      this.faults.push({ message: `${value.text} is no number that JSON can hold`, offset: range?.[0] ?? 0 });
      return null;
    }
    return value as JsonValue;
  }

  #anchor(node: Node & { anchor?: string | undefined }): void {
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
  }

  #fail(message: string, at: unknown): void {
    this.faults.push({ message, offset: offsetOf(at) ?? 0 });
  }
}

/** Whether a key is `<<`, not in quotes. */
function isMergeKey(key: Scalar): boolean {
  return key.value === '<<' && key.type === 'PLAIN';
}

/** The text of a key, as kubectl makes it; undefined for null. */
function keyText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
}

/** What stands at a path: its value, and where that begins. */
interface Located {
  readonly node: unknown;
  readonly offset: number;
  /** Whether the path leads here, or further than there is anything. */
  readonly isThere: boolean;
}

/** Finds values by their paths. What stands around many of them is looked up once: thousands of mistakes may be of one object, or deep in one. */
export class NodeLocator {
  readonly #known = new Map<FieldPath, Located>();
  readonly #fields = new Map<YAMLMap, ReadonlyMap<string, unknown>>();
  readonly #root: Located;

  constructor(root: unknown) {
    this.#root = { node: root, offset: offsetOf(root) ?? 0, isThere: true };
  }

  /** Where the value at a path begins in the text; where the path leads to nothing, the nearest value around. */
  offsetAt(path: FieldPath): number {
    const unknown: FieldPath[] = [];
    let at = path;
    for (; at.parent !== undefined && !this.#known.has(at); at = at.parent) unknown.push(at);
    let located = this.#known.get(at) ?? this.#root;
    for (let next = unknown.pop(); next !== undefined; next = unknown.pop()) {
      located = this.#step(located, next.segment);
      this.#known.set(next, located);
    }
    return located.offset;
  }

  #step(from: Located, segment: string | number): Located {
    const next = from.isThere ? this.#childOf(from.node, segment) : undefined;
    if (next === undefined) return from.isThere ? { ...from, isThere: false } : from;
    const node = isPair(next) ? next.value : next;
    const offset = offsetOf(node) ?? offsetOf(isPair(next) ? next.key : undefined) ?? from.offset;
    return { node, offset, isThere: true };
  }

  #childOf(node: unknown, segment: string | number): unknown {
    if (isSeq(node)) return typeof segment === 'number' ? node.items[segment] : undefined;
    return isMap(node) && typeof segment === 'string' ? this.#fieldsOf(node).get(segment) : undefined;
  }

  #fieldsOf(map: YAMLMap): ReadonlyMap<string, unknown> {
    const known = this.#fields.get(map);
    if (known !== undefined) return known;
    const fields = new Map<string, unknown>();
    for (const pair of map.items) {
      const name = isScalar(pair.key) ? keyText(pair.key.value) : undefined;
      if (name !== undefined && !fields.has(name)) fields.set(name, pair);
    }
    this.#fields.set(map, fields);
    return fields;
  }
}

function offsetOf(node: unknown): number | undefined {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range) ? Number(node.range[0]) : undefined;
}

function isJsonList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
