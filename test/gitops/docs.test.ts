import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import type { AnyObject } from '../cluster/admin.ts';
import { toolShare } from '../cluster/ensure-tool.ts';
import { useCluster } from '../support/cluster.ts';
import { startWebhook } from '../support/webhook.ts';
import { decodeAsFlux } from './flux.ts';
import { argoScript, HEALTH_SCRIPT } from './judges.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const manual = readFileSync(join(ROOT, 'docs/gitops.md'), 'utf8');

/** Every object of the page's YAML, in its order. */
const objects: AnyObject[] = [...manual.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].flatMap(([, text = '']) =>
  parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw new Error(`docs/gitops.md: ${document.errors.join('\n')}\n${text}`);
    return document.toJS();
  }),
);
const ofGroup = (group: RegExp): AnyObject[] => objects.filter(({ apiVersion }) => group.test(apiVersion));
const named = (kind: string, name: string): AnyObject => {
  const found = objects.find((object) => object['kind'] === kind && object['metadata'].name === name);
  if (found === undefined) throw new Error(`docs/gitops.md has no ${kind} "${name}"`);
  return found;
};

const use = await useCluster(t);

t.test('the page has a complete example for Flux and for Argo CD', async (t) => {
  const found = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  t.same(found, [
    'GitRepository kro-graph',
    'HelmRelease kro-graph',
    'Kustomization kro-graph',
    'Kustomization shop',
    'Application kro-graph',
    'Application shop',
    'ConfigMap argocd-cm',
    'Graph wrong',
  ]);
});

t.test('objects of Flux have only fields that Flux knows', async (t) => {
  const flux = ofGroup(/\.fluxcd\.io\//);
  t.equal(flux.length, 4);
  await decodeAsFlux(flux);
  const misspelt = structuredClone(named('Kustomization', 'shop'));
  misspelt['spec'].dependOn = [];
  await t.rejects(decodeAsFlux([misspelt]), /shop: json: unknown field "spec\.dependOn"|unknown field "dependOn"/, 'and others are found');
  t.same(
    named('Kustomization', 'shop')['spec'].dependsOn,
    [{ name: named('Kustomization', 'kro-graph')['metadata'].name }],
    'the Graphs wait for the chart',
  );
});

t.test("Applications pass a dry run against Argo CD's own CRD", { timeout: 240_000 }, async (t) => {
  const crd = join(await toolShare('argo-health'), 'application-crd.yaml');
  await use.kubectl(['apply', '--server-side', '-f', crd]);
  t.teardown(() => use.tryKubectl(['delete', '-f', crd, '--wait=false']));
  await use.admin.waitFor('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/applications.argoproj.io', (object) =>
    object?.['status']?.conditions?.some(({ type, status }: AnyObject) => type === 'Established' && status === 'True'),
  );
  const strict = ['create', '--dry-run=server', '--validate=strict', '-f', '-'];
  const inNamespace = (application: AnyObject): AnyObject => ({
    ...application,
    metadata: { ...application['metadata'], namespace: use.namespace },
  });
  for (const application of ofGroup(/^argoproj\.io\//)) {
    t.match(await use.tryKubectl(strict, { input: JSON.stringify(inNamespace(application)) }), { code: 0 });
  }
  const misspelt = inNamespace(structuredClone(named('Application', 'shop')));
  misspelt['spec'].syncPolicy.syncOption = [];
  t.match((await use.tryKubectl(strict, { input: JSON.stringify(misspelt) })).stderr, /unknown field "spec\.syncPolicy\.syncOption"/);
  const wave = (name: string): number => Number(named('Application', name)['metadata'].annotations['argocd.argoproj.io/sync-wave']);
  t.same([wave('kro-graph'), wave('shop')], [-1, 1]);
});

t.test('the values are those of the chart', async (t) => {
  const schema = JSON.parse(readFileSync(join(ROOT, 'charts/kro-graph/values.schema.json'), 'utf8'));
  const defaults = parse(readFileSync(join(ROOT, 'charts/kro-graph/values.yaml'), 'utf8'));
  const validate = new Ajv2020({ strict: false }).compile(schema);
  const given = [named('HelmRelease', 'kro-graph')['spec'].values, named('Application', 'kro-graph')['spec'].source.helm.valuesObject];
  for (const values of given) {
    t.ok(validate(merge(defaults, values)), JSON.stringify(validate.errors));
    t.notOk(validate(merge(defaults, { ...values, images: {} })), 'a misspelt key is found');
  }
});

t.test('argocd-cm holds the script of the chart, and only keys and rules that Argo CD has', async (t) => {
  const { data } = named('ConfigMap', 'argocd-cm');
  t.equal(data['resource.customizations.health.kro.run_Graph'], readFileSync(HEALTH_SCRIPT, 'utf8'));
  const script = join(t.testdir({ 'health.lua': data['resource.customizations.health.argoproj.io_Application'] }), 'health.lua');
  const applications = [{ status: { health: { status: 'Degraded', message: 'why' } } }, { metadata: {} }];
  t.same(await argoScript(applications, script), [
    { status: 'Degraded', message: 'why' },
    { status: 'Progressing', message: '' },
  ]);
  const rules = Object.keys(data).filter((key) => /^resource\.customizations\.ignore/.test(key));
  t.same(rules, ['resource.customizations.ignoreDifferences.kro.run_Graph', 'resource.customizations.ignoreResourceUpdates.kro.run_Graph']);
  for (const key of rules) {
    const unknown = Object.keys(parse(data[key])).filter(
      (name) => !['jsonPointers', 'jqPathExpressions', 'managedFieldsManagers'].includes(name),
    );
    t.same(unknown, []);
  }
  const { metadata, ...rest } = named('ConfigMap', 'argocd-cm');
  const input = JSON.stringify({ ...rest, metadata: { ...metadata, namespace: use.namespace } });
  t.match(await use.tryKubectl(['create', '--dry-run=server', '-f', '-'], { input }), { code: 0 });
});

t.test('the wrong Graph is refused with the words of the page', { timeout: 240_000 }, async (t) => {
  await startWebhook(t, use);
  const input = JSON.stringify(named('Graph', 'wrong'));
  const { stderr } = await use.tryKubectl(['apply', '-f', '-'], { input });
  const [first, ...lines] = stderr
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('Warning: '));
  t.match(first, /^The Graph "wrong" is invalid: $/);
  t.match(lines.toSorted(), [
    /^\* spec\.nodes\[1\]\.template\.data\.owner: unknown name "nobody"/,
    /^\* spec\.nodes\[1\]\.template\.data\.title: .*"titel".*did you mean "title"\?/,
  ]);
  t.equal(lines.length, 2);
});

t.test('its links within the page lead somewhere', async (t) => {
  const headings = [...manual.matchAll(/^## (.+)$/gm)].map(([, text = '']) => `#${text.toLowerCase().replaceAll(' ', '-')}`);
  for (const [, target = ''] of manual.matchAll(/\]\((#[^)]+)\)/g)) t.ok(headings.includes(target), target);
});

function merge(base: AnyObject, over: AnyObject): AnyObject {
  const merged: AnyObject = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const isBoth = [value, base[key]].every((part) => typeof part === 'object' && part !== null && !Array.isArray(part));
    merged[key] = isBoth ? merge(base[key], value) : value;
  }
  return merged;
}
