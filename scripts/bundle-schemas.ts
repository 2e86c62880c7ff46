/**
 * Makes the schema bundles of `schemas/` from the OpenAPI v3 documents of a real API server, which this script starts:
 *
 *     node scripts/bundle-schemas.ts <output folder> <group/version>...
 *
 * The group versions are those that `kubectl api-versions` prints of that server. The documents in the source of a Kubernetes release will
 * not do: they lack the enums that a server serves. One file for each API group version, and `shared.json` for the components that are of
 * none. Without descriptions; one component a line.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServedResource } from '../src/schema/bundle.ts';
import { readComponents } from '../src/schema/document.ts';
import { type RawSchema, referenceOf } from '../src/schema/openapi.ts';
import { startCluster } from '../test/cluster/cluster.ts';

interface Operation {
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string };
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['get', 'get'],
  ['list', 'list'],
  ['post', 'create'],
  ['put', 'update'],
  ['patch', 'patch'],
  ['delete', 'delete'],
  ['deletecollection', 'deletecollection'],
]);

const [output, ...groupVersions] = process.argv.slice(2);
if (output === undefined || groupVersions.length === 0) {
  process.stderr.write('usage: bundle-schemas.ts <output folder> <group/version>...\n');
  process.exit(2);
}

const written = new Set<string>();
const shared = new Map<string, RawSchema>();
for (const [groupVersion, document] of await readDocuments(groupVersions)) {
  const resources = readResources(document, `/${rootOf(groupVersion)}/`);
  const components = readComponents(document);
  const kinds = new Set(resources.map(({ kind }) => kind.kind));
  const roots = [...components].filter(([, raw]) => (raw['x-kubernetes-group-version-kind'] ?? []).length === 1);
  const own = new Set(roots.filter(([, raw]) => kinds.has(raw['x-kubernetes-group-version-kind']?.[0]?.kind ?? '')).map(([name]) => name));
  for (const name of own) collect(components.get(name), own);
  const [prefix] = /^.*\.(?=[^.]*$)/.exec(
    roots.find(([, raw]) => kinds.has(raw['x-kubernetes-group-version-kind']?.[0]?.kind ?? ''))?.[0] ?? '',
  ) ?? [''];
  const schemas = new Map<string, RawSchema>();
  for (const name of [...own].sort()) {
    const raw = components.get(name);
    if (raw === undefined) continue;
    if (name.startsWith(prefix)) schemas.set(name, raw);
    else if (!written.has(name)) shared.set(name, raw);
  }
  for (const name of schemas.keys()) {
    written.add(name);
    shared.delete(name);
  }
  write(`${groupVersion.replace('/', '_')}.json`, resources, schemas);
}
write('shared.json', [], new Map([...shared].sort(([a], [b]) => (a < b ? -1 : 1))));

function rootOf(groupVersion: string): string {
  return groupVersion.includes('/') ? `apis/${groupVersion}` : `api/${groupVersion}`;
}

async function readDocuments(groupVersions: readonly string[]): Promise<[string, unknown][]> {
  const cluster = await startCluster();
  try {
    const documents: [string, unknown][] = [];
    for (const groupVersion of groupVersions) {
      documents.push([groupVersion, JSON.parse(await cluster.kubectl(['get', '--raw', `/openapi/v3/${rootOf(groupVersion)}`]))]);
    }
    return documents;
  } finally {
    await cluster.stop();
  }
}

function readResources(document: unknown, prefix: string): ServedResource[] {
  const paths = (document as { paths: Record<string, Record<string, Operation>> }).paths;
  const byPlural = new Map<string, { kind?: ServedResource['kind']; namespaced: boolean; verbs: Set<string>; hasStatus: boolean }>();
  for (const [path, operations] of Object.entries(paths)) {
    const match = /^(?:namespaces\/\{namespace\}\/)?([a-z]+)(?:\/\{name\})?(\/status)?$/.exec(path.slice(prefix.length));
    const plural = match?.[1];
    if (!path.startsWith(prefix) || plural === undefined) continue;
    const resource = byPlural.get(plural) ?? { namespaced: false, verbs: new Set<string>(), hasStatus: false };
    byPlural.set(plural, resource);
    if (path.includes('{namespace}/')) resource.namespaced = true;
    if (match?.[2] !== undefined) {
      resource.hasStatus = true;
      continue;
    }
    for (const operation of Object.values(operations)) {
      const verb = VERBS.get(operation['x-kubernetes-action'] ?? '');
      if (verb === undefined) continue;
      resource.verbs.add(verb);
      const kind = operation['x-kubernetes-group-version-kind'];
      if (kind !== undefined) resource.kind ??= kind;
    }
  }
  return [...byPlural].flatMap(([plural, { kind, namespaced, verbs, hasStatus }]) =>
    kind === undefined
      ? []
      : [
          {
            kind: { group: kind.group, version: kind.version, kind: kind.kind },
            plural,
            namespaced,
            verbs: [...verbs, ...(verbs.has('list') ? ['watch'] : [])].sort(),
            hasStatus,
          },
        ],
  );
}

function collect(raw: RawSchema | undefined, names: Set<string>): void {
  if (raw === undefined) return;
  const reference = referenceOf(raw);
  if (reference !== undefined) names.add(reference);
  for (const property of Object.values(raw.properties ?? {})) collect(property, names);
  collect(raw.items, names);
  if (typeof raw.additionalProperties === 'object') collect(raw.additionalProperties, names);
}

function write(name: string, resources: readonly ServedResource[], schemas: ReadonlyMap<string, RawSchema>): void {
  const lines = (entries: readonly string[]): string => (entries.length === 0 ? '' : `\n${entries.join(',\n')}\n`);
  const resourceLines = lines(resources.map((resource) => JSON.stringify(resource)));
  const schemaLines = lines([...schemas].map(([component, raw]) => `${JSON.stringify(component)}:${JSON.stringify(raw, sortKeys)}`));
  writeFileSync(join(output ?? '.', name), `{"resources":[${resourceLines}],\n"schemas":{${schemaLines}}}\n`);
}

/** Servers write keys in an order that changes from one release to the next. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
