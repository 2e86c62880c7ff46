/**
 * Makes schema bundles from the OpenAPI v3 documents of a Kubernetes release (`api/openapi-spec/v3` of its source):
 *
 *     node scripts/bundle-schemas.ts <openapi-spec/v3> <output folder> <group/version>...
 *
 * One file for each API group version, and `shared.json` for the components that are of none. Without descriptions; one component a line.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServedResource } from '../src/schema/bundle.ts';
import { readComponents } from '../src/schema/document.ts';
import { type RawSchema, referenceOf } from '../src/schema/openapi.ts';

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

const [source, output, ...groupVersions] = process.argv.slice(2);
if (source === undefined || output === undefined || groupVersions.length === 0) {
  process.stderr.write('usage: bundle-schemas.ts <openapi-spec/v3> <output folder> <group/version>...\n');
  process.exit(2);
}

const written = new Set<string>();
const shared = new Map<string, RawSchema>();
for (const groupVersion of groupVersions) {
  const root = groupVersion.includes('/') ? `apis/${groupVersion}` : `api/${groupVersion}`;
  const document: unknown = JSON.parse(readFileSync(join(source, `${root.replaceAll('/', '__')}_openapi.json`), 'utf8'));
  const resources = readResources(document, `/${root}/`);
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
  const schemaLines = lines([...schemas].map(([component, raw]) => `${JSON.stringify(component)}:${JSON.stringify(raw)}`));
  writeFileSync(join(output ?? '.', name), `{"resources":[${resourceLines}],\n"schemas":{${schemaLines}}}\n`);
}
