import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyObject } from '../cluster/admin.ts';
import type { Cluster } from '../cluster/cluster.ts';

const SYNC_MILLISECONDS = 1000;
const FIRST_WITHIN_MILLISECONDS = 180_000;

/** A container's volumes as local folders. */
export interface Volumes {
  /** A text of the container with local folders in place of mount paths. */
  readonly localize: (text: string) => string;
  readonly end: () => void;
}

interface Mounting {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly spec: AnyObject;
  readonly container: AnyObject;
  readonly folder: string;
}

/** Fills a folder for each volume: of a Secret as kubelet does it (waits until it exists, then swaps a link at every change). */
export async function mountVolumes({ cluster, namespace, spec, container, folder }: Mounting): Promise<Volumes> {
  const ends: (() => void)[] = [];
  const places: [path: string, local: string][] = [];
  for (const { name, mountPath } of container['volumeMounts'] ?? []) {
    const volume = (spec['volumes'] ?? []).find((candidate: AnyObject) => candidate['name'] === name);
    const local = join(folder, name);
    mkdirSync(local, { recursive: true });
    places.push([mountPath, local]);
    if (volume?.secret === undefined) {
      if (volume?.emptyDir === undefined) throw new Error(`a volume of another kind than Secret and emptyDir: ${name}`);
      continue;
    }
    ends.push(await followSecret(cluster, `/api/v1/namespaces/${namespace}/secrets/${volume.secret.secretName}`, local));
  }
  const localize = (text: string): string => places.reduce((result, [path, local]) => result.replaceAll(path, local), text);
  return {
    localize,
    end: () => {
      for (const end of ends) end();
    },
  };
}

async function followSecret({ admin }: Cluster, path: string, folder: string): Promise<() => void> {
  let version: string | undefined;
  const sync = (secret: AnyObject | undefined): void => {
    if (secret === undefined || secret['metadata'].resourceVersion === version) return;
    const before = version;
    version = secret['metadata'].resourceVersion as string;
    writeAll(folder, `..${version}`, secret['data'] ?? {});
    if (before !== undefined) rmSync(join(folder, `..${before}`), { recursive: true });
  };
  sync(await admin.waitFor(path, (secret) => secret !== undefined, FIRST_WITHIN_MILLISECONDS));
  const timer = setInterval(() => {
    // The API server may be away; the next look tells.
    void admin.get(path).then(sync, () => {});
  }, SYNC_MILLISECONDS);
  return () => clearInterval(timer);
}

/** A new folder, then the link `..data` to it in one step; the files are links through `..data`. */
function writeAll(folder: string, version: string, data: Readonly<Record<string, string>>): void {
  mkdirSync(join(folder, version));
  for (const [key, value] of Object.entries(data)) writeFileSync(join(folder, version, key), Buffer.from(value, 'base64'), { mode: 0o600 });
  symlinkSync(version, join(folder, '..next'));
  renameSync(join(folder, '..next'), join(folder, '..data'));
  for (const key of Object.keys(data)) {
    rmSync(join(folder, key), { force: true });
    symlinkSync(join('..data', key), join(folder, key));
  }
}
