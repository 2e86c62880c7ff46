import { LRUCache } from 'lru-cache';
import type { Graph } from '../../src/api/graph.ts';
import { isEqualJson } from '../../src/api/is-equal-json.ts';
import type { JsonValue, ResourceKind } from '../../src/api/object.ts';
import { type Compiled, compile } from '../../src/compiler/compile.ts';
import type { CompileLimits } from '../../src/compiler/limits.ts';
import { uses } from '../../src/compiler/uses.ts';
import type { ChangedKind } from '../../src/kube/schema-changes.ts';
import type { SchemaCatalog } from '../../src/kube/schemas.ts';

/** A compilation, with what it was made of. */
export interface CompiledGraph extends Compiled {
  /** The kinds that the spec names. */
  readonly kinds: readonly ResourceKind[];
}

interface Kept extends CompiledGraph {
  readonly spec: Graph['spec'];
  readonly schemaVersion: string;
}

/** Compiled Graphs, by name, spec and schema version (graph.md 8.1); the least recently used are compiled again. */
export class Programs {
  readonly #catalog: SchemaCatalog;
  readonly #limits: CompileLimits;
  readonly #observe: (seconds: number, isValid: boolean) => void;
  readonly #kept = new LRUCache<string, Kept>({ max: MOST_KEPT, maxSize: MOST_NODES_KEPT, sizeCalculation: weightOf });
  /** The kinds of every Graph that was compiled, also of those whose Program is no longer kept. */
  readonly #uses = new Map<string, { readonly kinds: ReadonlySet<string>; readonly isDynamic: boolean }>();

  constructor(options: {
    readonly catalog: SchemaCatalog;
    readonly limits: CompileLimits;
    readonly observe: (seconds: number, isValid: boolean) => void;
  }) {
    this.#catalog = options.catalog;
    this.#limits = options.limits;
    this.#observe = options.observe;
  }

  /** The Graph's Program, or everything that is wrong with it. */
  async of(key: string, graph: Graph): Promise<CompiledGraph> {
    const former = this.#kept.get(key);
    const isSameSpec = former !== undefined && (former.spec === graph.spec || isEqualJson(json(former.spec), json(graph.spec)));
    const kinds = isSameSpec ? former.kinds : uses(graph.spec);
    const { snapshot } = await this.#catalog.load(kinds);
    if (isSameSpec && former.schemaVersion === snapshot.version) return former;
    const began = performance.now();
    const compiled = compile({ graph, schemas: snapshot, limits: this.#limits });
    this.#observe((performance.now() - began) / 1000, compiled.program !== undefined);
    const kept: Kept = { ...compiled, kinds, spec: graph.spec, schemaVersion: snapshot.version };
    this.#kept.set(key, kept);
    this.#uses.set(key, {
      kinds: new Set(kinds.map(groupKind)),
      isDynamic: compiled.program?.hasDynamicTypes ?? false,
    });
    return kept;
  }

  /** The Graphs that a change of these kinds concerns; those with dynamic types always (graph.md 11). */
  usersOf(kinds: readonly ChangedKind[]): string[] {
    const changed = kinds.map(groupKind);
    return [...this.#uses]
      .filter(([, { kinds: used, isDynamic }]) => isDynamic || changed.some((kind) => used.has(kind)))
      .map(([key]) => key);
  }

  forget(key: string): void {
    this.#kept.delete(key);
    this.#uses.delete(key);
  }
}

function groupKind({ group, kind }: ChangedKind): string {
  return `${group}/${kind}`;
}

/** A Program of ten nodes weighs about 50 KiB. */
const MOST_KEPT = 500;
/** Of all Programs together: about 100 MiB. */
const MOST_NODES_KEPT = 20_000;

/** In nodes, and mistakes, which weigh less; the largest of Graphs leaves room for others. */
function weightOf({ program, diagnostics }: Kept): number {
  return Math.min(1 + (program?.nodes.length ?? 0) + diagnostics.length, MOST_NODES_KEPT / 4);
}

function json(value: Graph['spec']): JsonValue {
  return value as unknown as JsonValue;
}
