import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonValue, ResourceKind } from '../api/object.ts';
import { systemClock } from '../kube/clock.ts';
import { loadConfig } from '../kube/config.ts';
import { ConfigError } from '../kube/config-error.ts';
import { Http } from '../kube/http.ts';
import { createClient } from '../kube/json-client.ts';
import { SchemaCatalog } from '../kube/schemas.ts';
import { decodeManifest } from '../manifest/decode.ts';
import { readManifests } from '../manifest/read.ts';
import { readBundles, type SchemaBundle, snapshotOf } from '../schema/bundle.ts';
import { readCrd } from '../schema/crd.ts';
import type { ResourceSchema, SchemaSnapshot } from '../schema/snapshot.ts';
import { homeKubeconfig } from './cluster.ts';

/** Why a command has no schemas to work with: told in one line, exit code 2. */
export class NoSchemas extends Error {
  override readonly name = 'NoSchemas';
}

/** Where a command takes schemas from. */
export interface SchemaOptions {
  readonly kubeconfig?: string | undefined;
  /** The cluster that kubectl would talk to is asked for. */
  readonly cluster?: boolean | undefined;
  /** A folder of bundles, instead of a cluster. */
  readonly schemas?: string | undefined;
  /** A folder of CustomResourceDefinitions that count as installed. */
  readonly crds?: string | undefined;
}

/** The Kubernetes release of the bundles that come with the program. */
const BUNDLED_RELEASE = '1.36';
/** The package's folder, as this file stands in its sources and in dist/. */
const ROOTS = ['../../', '../../../'].map((up) => fileURLToPath(new URL(up, import.meta.url)));

/** Schemas, and what is to be told of where they are from. */
export interface SchemaSource {
  readonly schemas: SchemaSnapshot;
  readonly note?: string;
}

/**
 * The schemas of these kinds: from a folder of bundles; else from the cluster of the kubeconfig; without one those that come with the program;
 * in each case with the kinds of CRD files on top. Throws NoSchemas.
 */
export async function loadSchemas(kinds: readonly ResourceKind[], options: SchemaOptions): Promise<SchemaSource> {
  const custom = options.crds === undefined ? [] : readCrds(options.crds);
  if (options.schemas !== undefined) return { schemas: snapshotOf([...readBundleFolder(options.schemas), ...custom]) };
  const cluster = await loadFromCluster(kinds, options);
  if (cluster !== undefined) return { ...cluster, schemas: withCustom(cluster.schemas, custom) };
  const root = ROOTS.find((folder) => existsSync(join(folder, 'schemas')));
  if (root === undefined) throw new NoSchemas('no cluster to take schemas from: give --kubeconfig, set KUBECONFIG, or give --schemas DIR');
  const bundled = [...readBundleFolder(join(root, 'schemas')), ...readCrds(join(root, 'charts', 'kro-graph', 'files', 'crds'))];
  return {
    schemas: snapshotOf([...bundled, ...custom]),
    note: `checked against the standard kinds of Kubernetes ${BUNDLED_RELEASE}; for those of a cluster give --cluster or --kubeconfig, for CRDs --crds`,
  };
}

/** Undefined: nobody asks for a cluster, and KUBECONFIG names none. A pod's own is asked for, or it counts for nothing: many a CI job is a pod. */
async function loadFromCluster(kinds: readonly ResourceKind[], { kubeconfig, cluster }: SchemaOptions): Promise<SchemaSource | undefined> {
  const isAskedFor = kubeconfig !== undefined || cluster === true;
  if (!isAskedFor && (process.env['KUBECONFIG'] ?? '') === '') return undefined;
  try {
    const access = loadConfig({ kubeconfig: kubeconfig ?? (cluster === true ? homeKubeconfig() : undefined), environment: process.env });
    const http = new Http({ access, clock: systemClock, random: Math.random, userAgent: 'kro-graph-cli' });
    try {
      const catalog = new SchemaCatalog({ client: createClient(http), clock: systemClock });
      const { snapshot } = await catalog.load(kinds);
      return isAskedFor
        ? { schemas: snapshot }
        : { schemas: snapshot, note: `checked against the cluster of KUBECONFIG, ${access.server}` };
    } finally {
      await http.close();
    }
  } catch (error) {
    if (error instanceof ConfigError) throw new NoSchemas(error.message);
    throw new NoSchemas(`the cluster's schemas cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function withCustom(cluster: SchemaSnapshot, custom: readonly ResourceSchema[]): SchemaSnapshot {
  if (custom.length === 0) return cluster;
  const files = snapshotOf(custom);
  return {
    version: `${cluster.version}+${files.version}`,
    get: (kind) => files.get(kind) ?? cluster.get(kind),
    versions: (group, kind) => [...new Set([...files.versions(group, kind), ...cluster.versions(group, kind)])],
    served: () => [...files.served(), ...cluster.served()],
  };
}

function readBundleFolder(folder: string): readonly ResourceSchema[] {
  const bundles = filesOf(folder, /\.json$/).map(readBundle);
  if (bundles.length === 0) throw new NoSchemas(`${folder} holds no schema bundle (*.json)`);
  return readBundles(bundles);
}

function readBundle(file: string): SchemaBundle {
  try {
    const bundle: SchemaBundle = JSON.parse(read(file));
    if (Array.isArray(bundle?.resources) && typeof bundle.schemas === 'object' && bundle.schemas !== null) return bundle;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new NoSchemas(`${file} is no schema bundle (JSON with "resources" and "schemas")`);
}

function readCrds(folder: string): readonly ResourceSchema[] {
  return filesOf(folder, /\.(ya?ml|json)$/).flatMap((file) => {
    const { manifests, faults } = readManifests(read(file));
    const [fault] = faults;
    if (fault !== undefined) throw new NoSchemas(`${file}:${fault.position.line}:${fault.position.column}: ${fault.message}`);
    return manifests.flatMap(({ value }) => readCrd(value as JsonValue));
  });
}

function read(file: string): string {
  try {
    return decodeManifest(readFileSync(file));
  } catch (error) {
    throw new NoSchemas(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function filesOf(folder: string, pattern: RegExp): readonly string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new NoSchemas(`${folder} is no folder`);
  return readdirSync(folder)
    .filter((file) => pattern.test(file))
    .sort()
    .map((file) => join(folder, file));
}
