import { printApiVersion, printResourceKind, type ResourceKind } from '../../api/object.ts';
import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { askWhether, nearest } from '../../diagnostic/nearest.ts';
import { isEnding } from '../../schema/snapshot.ts';
import { isObject } from '../describe.ts';
import { selects } from '../kinds/ref.ts';
import type { Rule, RuleContext } from './rule.ts';

const notServed = defineDiagnostic({
  code: 'kind/not-served',
  severity: 'warning',
  message: ({ resource }: { resource: ResourceKind; hint: string | undefined }) =>
    `the cluster does not serve ${printResourceKind(resource)} (yet)`,
  hint: ({ hint }) => hint ?? 'the node waits until it does',
});
const cannot = defineDiagnostic({
  code: 'kind/verb',
  severity: 'error',
  message: ({ resource, verb }: { resource: ResourceKind; verb: string }) =>
    `${printResourceKind(resource)} is served, but cannot be ${PARTICIPLES.get(verb) ?? verb}`,
  hint: ({ verb }) => (verb === 'patch' ? 'it only answers requests and keeps no objects' : undefined),
});
const ending = defineDiagnostic({
  code: 'kind/ending',
  severity: 'warning',
  message: ({ resource }: { resource: ResourceKind }) =>
    `${printResourceKind(resource)} is going: its CustomResourceDefinition is being deleted`,
  hint: () => 'the node waits until the cluster serves it again',
});
const noStatus = defineDiagnostic({
  code: 'kind/no-status',
  severity: 'error',
  message: ({ resource }: { resource: ResourceKind }) =>
    `${printResourceKind(resource)} has no status subresource that a patch could write`,
});
const clusterScoped = defineDiagnostic({
  code: 'object/cluster-scoped',
  severity: 'error',
  message: ({ resource }: { resource: ResourceKind }) =>
    `${printResourceKind(resource)} is cluster-scoped: it cannot have metadata.namespace`,
  hint: () => 'remove the namespace',
});

const PARTICIPLES = new Map([
  ['patch', 'patched'],
  ['get', 'read by name'],
  ['list', 'listed'],
]);

/** A literal kind must be one that the cluster can do this with; one that it does not serve only warns (graph.md 6.5). */
export const kindServed: Rule = {
  after: 'check',
  diagnostics: [notServed, ending, cannot, noStatus, clusterScoped],
  node(node, report, context) {
    const target = node.checked?.target;
    if (target?.kind !== 'static' || node.kind === undefined || !isObject(node.payload)) return;
    const path = node.place.field(node.kind.name);
    const { resource, served } = target;
    if (served === undefined) {
      report(notServed({ resource, hint: nearKinds(resource, context) }, { path: path.field('kind') }));
      return;
    }
    const verb = node.kind.makesObjects ? 'patch' : selects(node) ? 'list' : 'get';
    if (!served.verbs.has(verb)) {
      const lacking =
        verb === 'patch' && isEnding(served)
          ? ending({ resource }, { path: path.field('kind') })
          : cannot({ resource, verb }, { path: path.field('kind') });
      report(lacking);
    }
    const { status, metadata } = node.payload;
    const hasField = served.schema === undefined || served.schema.at('status') !== undefined;
    if (!node.kind.publishes && status !== undefined && hasField && !served.hasStatus)
      report(noStatus({ resource }, { path: path.field('status') }));
    const namespace = isObject(metadata) ? metadata['namespace'] : undefined;
    const isSet = namespace !== undefined && namespace !== null && namespace !== '';
    // What a selector selects among cluster-scoped objects is in no namespace, whichever it names.
    if (!served.namespaced && isSet && !selects(node))
      report(clusterScoped({ resource }, { path: path.field('metadata').field('namespace') }));
  },
};

function nearKinds(kind: ResourceKind, { schemas, steps }: RuleContext): string | undefined {
  const [version] = schemas.versions(kind.group, kind.kind);
  if (version !== undefined) return `it serves ${printResourceKind({ ...kind, version })}`;
  const served = schemas.served();
  if (!steps.maySuggest(served.length)) return undefined;
  const sameKind = served.filter((other) => other.kind === kind.kind);
  const near = sameKind.length > 0 ? sameKind : nearKindNames(kind, served);
  const names = [...new Set(near.map((other) => `${printApiVersion(other)} ${other.kind}`))].slice(0, 3);
  return askWhether(names);
}

/** Of several kinds of one name the one that is nearest to the group and version asked for. */
function nearKindNames(kind: ResourceKind, served: readonly ResourceKind[]): readonly ResourceKind[] {
  const names = nearest(
    kind.kind,
    served.map((other) => other.kind),
  );
  return names.flatMap((name) => {
    const bearers = served.filter((other) => other.kind === name);
    const ofGroup = bearers.filter(({ group }) => group === kind.group);
    return ofGroup.find(({ version }) => version === kind.version) ?? ofGroup[0] ?? bearers[0] ?? [];
  });
}
