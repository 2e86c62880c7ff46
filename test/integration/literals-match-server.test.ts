import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { type JsonObject, type JsonValue, parseApiVersion } from '../../src/api/object.ts';
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../../src/diagnostic/path.ts';
import { systemClock } from '../../src/kube/clock.ts';
import { objectPath } from '../../src/kube/resource.ts';
import { SchemaCatalog } from '../../src/kube/schemas.ts';
import { readManifests } from '../../src/manifest/read.ts';
import { checkManifest } from '../../src/schema/literal.ts';
import type { OpenApiSchema } from '../../src/schema/openapi.ts';
import type { ResourceSchema } from '../../src/schema/snapshot.ts';
import type { Admin } from '../cluster/admin.ts';
import { useCluster } from '../support/cluster.ts';
import { useClient } from '../support/kube.ts';
import { type Mutation, mutations, sample } from '../support/literal-mutations.ts';

const EACH = Number(process.env['KRO_GRAPH_LITERALS_EACH'] ?? 60);
const SEED = Number(process.env['KRO_GRAPH_LITERALS_SEED'] ?? 1);
const AT_ONCE = 8;

/** What the API server says where its OpenAPI is the reason: its typed apply and its decoding. */
const STATED = [
  /failed to create typed patch object/,
  /cannot convert \w+ to \w+/,
  /cannot restore (slice|map|struct) from/,
  /illegal base64/,
  /parsing time/,
  /cannot unmarshal (bool|object|array|string)/,
];
/** And, of a custom kind, its validation. A required field that is missing only warns here. */
const STATED_OF_CUSTOM = [
  ...STATED,
  /in body (must be of type|should match|should be|must be|should not)/,
  /Unsupported value: /,
  /Too (long|many|few|short)/,
  /Checked value must be of type/,
  /^(?!.*Required value).*must (not )?validate/s,
];

interface Subject {
  readonly object: JsonObject;
  readonly resource: ResourceSchema;
}

type Verdict = { readonly word: 'accepted' } | { readonly word: 'refused'; readonly why: string };

t.setTimeout(600_000);

t.test('literals are judged as the API server judges them', { timeout: 600_000 }, async (t) => {
  const cluster = await useCluster(t);
  const { admin, namespace } = cluster;
  const group = `${namespace}.example.com`;
  const [crd, feature] = read('crd.yaml', { GROUP: group });
  if (crd === undefined || feature === undefined) throw new Error('crd.yaml holds a CRD and an object');
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  t.teardown(() => admin.remove(`${crds}/features.${group}`));
  await admin.create(crds, crd);
  await admin.waitFor(`${crds}/features.${group}`, (live) => {
    const conditions: { type: string; status: string }[] = live?.['status']?.conditions ?? [];
    return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  });

  const catalog = new SchemaCatalog({ client: useClient(t, cluster.kubeconfig), clock: systemClock });
  const objects = [...read('objects.yaml', {}), feature];
  const kinds = objects.map(kindOf);
  let loaded = await catalog.load(kinds, { freshness: 'current' });
  while (loaded.lagging.length + loaded.missing.length > 0) loaded = await catalog.load(kinds, { freshness: 'current' });
  t.ok(new Set(kinds.map(({ kind }) => kind)).size >= 26, 'at least 25 standard kinds, and a custom one');

  for (const object of objects) {
    const resource = loaded.snapshot.get(kindOf(object));
    if (resource?.schema === undefined) throw new Error(`${object['kind']} is not served`);
    await t.test(`${object['kind']}`, (t) => compare(t, { object, resource }, admin, namespace));
  }
});

/** Compares the verdicts on the valid object and on a sample of its mutations. */
async function compare(t: Test, { object, resource }: Subject, admin: Admin, namespace: string): Promise<void> {
  const { schema } = resource;
  if (schema === undefined) throw new Error(`${resource.kind.kind} has no schema`);
  const judge = async (candidate: JsonValue): Promise<{ server: Verdict; ours: Diagnostic[] }> => {
    const ours: Diagnostic[] = [];
    checkManifest({ kind: 'literal', value: candidate }, schema, FieldPath.root, {
      report: (diagnostic) => ours.push(diagnostic),
      wantsRequired: true,
      computed: () => undefined,
    });
    return { server: await apply(candidate, resource, admin, namespace), ours };
  };
  const valid = await judge(object);
  t.same([valid.server, valid.ours], [{ word: 'accepted' }, []], 'the object is valid');

  const isCustom = resource.kind.group.endsWith('.example.com');
  const stated = isCustom ? STATED_OF_CUSTOM : STATED;
  const chosen = sample(mutations(object, schema), isCustom ? EACH * 10 : EACH, SEED);
  const wrong: string[] = [];
  const counts = { accepted: 0, stated: 0, own: 0 };
  await inParallel(chosen, async ({ path, what, object: mutated }: Mutation) => {
    const { server, ours } = await judge(mutated);
    const errors = ours.filter(({ severity }) => severity === 'error').map((error) => `${error.path}: ${error.message}`);
    if (server.word === 'accepted') {
      counts.accepted += 1;
      if (errors.length > 0) wrong.push(`${path} = ${what} is accepted, but refused here: ${errors.join('; ')}`);
    } else if (saysAnything(schema, path) && stated.some((reason) => reason.test(server.why))) {
      counts.stated += 1;
      if (errors.length === 0) wrong.push(`${path} = ${what} is not refused here, but there: ${server.why}`);
    } else {
      counts.own += 1;
    }
  });
  t.same(wrong, [], `${chosen.length} mutations: ${JSON.stringify(counts)}`);
  t.ok(counts.accepted > 0 && counts.stated > 0, 'both verdicts occur');
}

/** Whether the OpenAPI says anything of the value at a path: not below a field without type, as most of a CRD's schema is. */
function saysAnything(schema: OpenApiSchema, path: FieldPath): boolean {
  let at: OpenApiSchema | undefined = schema;
  for (const segment of path.segments()) {
    at = at?.at(segment);
    if (at?.type === undefined && at?.isFreeForm === true) return false;
  }
  return true;
}

async function apply(object: JsonValue, { kind, plural, namespaced }: ResourceSchema, admin: Admin, namespace: string): Promise<Verdict> {
  const name = String((object as { metadata?: { name?: unknown } }).metadata?.name);
  const path = objectPath({ group: kind.group, version: kind.version, plural, namespace: namespaced ? namespace : undefined }, name);
  const query = '?fieldManager=literals&force=true&dryRun=All';
  const answer = await admin.request({ method: 'PATCH', path: path + query, body: object, contentType: 'application/apply-patch+yaml' });
  return answer.status < 300 ? { word: 'accepted' } : { word: 'refused', why: String(answer.body['message']) };
}

async function inParallel<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const pending = items.values();
  const worker = async (): Promise<void> => {
    for (const item of pending) await run(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function read(file: string, words: Readonly<Record<string, string>>): JsonObject[] {
  let text = readFileSync(new URL(`./literals/${file}`, import.meta.url), 'utf8');
  for (const [word, by] of Object.entries(words)) text = text.replaceAll(word, by);
  const { manifests, faults } = readManifests(text);
  if (faults.length > 0) throw new Error(`${file}: ${JSON.stringify(faults)}`);
  return manifests.map(({ value }) => value as JsonObject);
}

function kindOf(object: JsonObject): { group: string; version: string; kind: string } {
  const groupVersion = parseApiVersion(String(object['apiVersion']));
  if (groupVersion === undefined) throw new Error(`apiVersion of ${JSON.stringify(object['metadata'])}`);
  return { ...groupVersion, kind: String(object['kind']) };
}
