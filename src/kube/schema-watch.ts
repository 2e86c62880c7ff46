import type { KubeClient } from './client.ts';
import type { Clock } from './clock.ts';
import { type Change, Reflector, type ReflectorState } from './reflector.ts';
import type { ResourceRef } from './resource.ts';
import type { SchemaCatalog } from './schemas.ts';

/** What the watch needs. */
export interface SchemaWatchOptions {
  readonly client: KubeClient;
  readonly catalog: Pick<SchemaCatalog, 'forget' | 'revalidate'>;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly onState?: (resource: string, state: ReflectorState) => void;
  /** Told when the cluster could not be asked; the watch asks again. */
  readonly onError?: (error: unknown) => void;
}

const CRDS: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions' };
const API_SERVICES: ResourceRef = { group: 'apiregistration.k8s.io', version: 'v1', plural: 'apiservices' };

/** When to look whether the OpenAPI has followed: milliseconds between one look and the next, 60 s in all. */
const PAUSES: readonly number[] = [100, 200, 400, 800, 1500, 3000, 6000, 12_000, 16_000, 20_000];

/** What is kept of a CRD or an APIService: the generation tells a new definition from a new status. */
interface Definition {
  readonly group: string;
  readonly generation: number;
}

/**
 * Makes the catalog look again when a CRD or an APIService appears, changes or goes (graph.md 11); the catalog tells its listeners.
 * Started once, stopped once.
 */
export class SchemaWatch {
  readonly #options: SchemaWatchOptions;
  readonly #reflectors: readonly Reflector<Definition>[];
  readonly #stopping = new AbortController();
  readonly #following = new Map<string, { again: boolean; readonly done: Promise<void> }>();

  constructor(options: SchemaWatchOptions) {
    this.#options = options;
    this.#reflectors = [CRDS, API_SERVICES].map((resource) => this.#reflect(resource));
  }

  start(): void {
    for (const reflector of this.#reflectors) reflector.start();
  }

  /** Whether both lists were complete once. */
  hasSynced(): boolean {
    return this.#reflectors.every((reflector) => reflector.hasSynced());
  }

  /** Whether something of a group has changed a moment ago, and what is served may not have followed yet. */
  isSettling(group: string): boolean {
    return this.#following.has(group);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#reflectors.map((reflector) => reflector.stop()), ...[...this.#following.values()].map(({ done }) => done)]);
  }

  #reflect(resource: ResourceRef): Reflector<Definition> {
    const reflector: Reflector<Definition> = new Reflector({
      client: this.#options.client,
      resource,
      clock: this.#options.clock,
      random: this.#options.random,
      what: {
        kind: 'metadata',
        project: ({ metadata }) => ({ group: groupOf(metadata.name), generation: metadata.generation ?? 0 }),
      },
      onChange: (change) => this.#noteChange(change, reflector),
      onState: (state) => this.#options.onState?.(resource.plural, state),
    });
    return reflector;
  }

  /** The first list is what the catalog starts from. A status that changes (a CRD is established, a server answers) counts too. */
  #noteChange({ before, after }: Change<Definition>, reflector: Reflector<Definition>): void {
    const group = (after ?? before)?.group;
    if (group === undefined || !reflector.hasSynced()) return;
    this.#options.catalog.forget();
    const following = this.#following.get(group);
    if (following === undefined) this.#following.set(group, { again: false, done: this.#follow(group) });
    else following.again = true;
  }

  /**
   * Looks again and again for as long as the API server may take to follow, and lets the catalog tell what is news; begins anew when
   * the group has changed meanwhile, and ends once there was news and every schema that is used is published.
   */
  async #follow(group: string): Promise<void> {
    const { clock } = this.#options;
    const signal = this.#stopping.signal;
    let hadNews = false;
    for (let look = 0; look < PAUSES.length; look++) {
      await clock.sleep(PAUSES[look] ?? 0, signal);
      if (signal.aborted) break;
      const following = this.#following.get(group);
      if (following?.again) {
        following.again = false;
        hadNews = false;
        look = 0;
      }
      const result = await this.#look(group);
      hadNews ||= result.hadNews;
      // What has changed since the look began may not be in it.
      if (this.#following.get(group)?.again) look = -1;
      else if (hadNews && !result.isLagging) break;
    }
    this.#following.delete(group);
  }

  async #look(group: string): Promise<{ readonly hadNews: boolean; readonly isLagging: boolean }> {
    try {
      const { changed, lagging } = await this.#options.catalog.revalidate();
      return { hadNews: changed.some((kind) => kind.group === group), isLagging: lagging.some((kind) => kind.group === group) };
    } catch (error) {
      this.#options.onError?.(error);
      return { hadNews: false, isLagging: true };
    }
  }
}

/** `things.lab.example.com` or `v1.lab.example.com`: all behind the first dot; the core group is `v1.`. */
function groupOf(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1);
}
