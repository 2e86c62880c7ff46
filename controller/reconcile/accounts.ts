import type { KubeClient } from '../../src/kube/client.ts';
import type { Clock } from '../../src/kube/clock.ts';
import { objectKey, Reflector } from '../../src/kube/reflector.ts';
import type { ResourceRef } from '../../src/kube/resource.ts';

const ACCOUNTS: ResourceRef = { group: '', version: 'v1', plural: 'serviceaccounts' };

/** Which ServiceAccounts exist: a Graph waits for its own (graph.md 8.2). */
export class Accounts {
  readonly #reflectors: readonly Reflector<true>[];
  readonly #namespaces: readonly string[];

  constructor(options: {
    readonly client: KubeClient;
    readonly clock: Clock;
    readonly random: () => number;
    /** Empty: all. */
    readonly namespaces: readonly string[];
    /** An account has come (or gone): Graphs of its namespace may wait for it. */
    readonly changed: (namespace: string) => void;
  }) {
    this.#namespaces = options.namespaces.length === 0 ? [''] : options.namespaces;
    this.#reflectors = this.#namespaces.map((namespace) => {
      const reflector: Reflector<true> = new Reflector({
        client: options.client,
        clock: options.clock,
        random: options.random,
        resource: { ...ACCOUNTS, namespace },
        what: { kind: 'metadata', project: () => true },
        onChange: ({ key, before, after }) => {
          if (reflector.hasSynced() && before !== after) options.changed(key.split('/', 1)[0] ?? '');
        },
      });
      return reflector;
    });
  }

  start(): void {
    for (const reflector of this.#reflectors) reflector.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#reflectors.map((reflector) => reflector.stop()));
  }

  /** Whether it is known which exist, or known that this process may not know: then every account is taken to exist. */
  hasSynced(): boolean {
    return this.#reflectors.every((reflector) => reflector.hasSynced() || reflector.state.word === 'refused');
  }

  exists(namespace: string, name: string): boolean {
    return this.#reflectors.some((reflector) => !reflector.hasSynced() || reflector.get(objectKey(namespace, name)) !== undefined);
  }
}
