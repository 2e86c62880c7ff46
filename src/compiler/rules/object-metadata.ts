import type { ResourceKind } from '../../api/object.ts';
import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import type { FieldPath } from '../../diagnostic/path.ts';
import { isObject } from '../describe.ts';
import { isLabelKey, isLabelValue, labelForm } from '../label.ts';
import { scan } from '../scan.ts';
import { isSubdomain } from '../subdomain.ts';
import { literalPart } from './identity-parts.ts';
import type { Rule, RuleReport } from './rule.ts';

const label = defineDiagnostic({
  code: 'metadata/label',
  severity: 'error',
  message: ({ what, text }: { what: 'key' | 'value'; text: string }) => `"${text}" is not a label ${what}`,
  hint: ({ what, text }) => labelForm(what, text),
});
const annotation = defineDiagnostic({
  code: 'metadata/annotation',
  severity: 'error',
  message: ({ text }: { text: string }) => `"${text}" cannot be the key of an annotation`,
  hint: ({ text }) => labelForm('key', text),
});
const objectName = defineDiagnostic({
  code: 'metadata/name',
  severity: 'error',
  message: ({ text, of }: { text: string; of: string }) => `"${text}" cannot be the name of a ${of}`,
  hint: ({ text }) =>
    isSegment(text) ? LOWER_CASE : 'no name is "." or "..", and none holds "/" or "%": these lead elsewhere in the path of a request',
});
const namespaceName = defineDiagnostic({
  code: 'metadata/namespace',
  severity: 'error',
  message: ({ text }: { text: string }) => `"${text}" cannot be the name of a namespace`,
  hint: () => 'lower case letters, digits and "-", at most 63, beginning and ending with a letter or digit',
});

const LOWER_CASE = 'lower case letters, digits, "-" and ".", beginning and ending with a letter or digit';
const LONGEST_LABEL = 63;

/** The standard kinds whose names are subdomains of DNS, by their groups. Others have names of another form, or of any. */
const NAMED_AS_SUBDOMAINS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    '': `ConfigMap Endpoints LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod PodTemplate ReplicationController
      ResourceQuota Secret Service ServiceAccount`,
    apps: 'ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet',
    batch: 'CronJob Job',
    'admissionregistration.k8s.io':
      'MutatingAdmissionPolicy MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingWebhookConfiguration',
    'apiextensions.k8s.io': 'CustomResourceDefinition',
    'coordination.k8s.io': 'Lease',
    'discovery.k8s.io': 'EndpointSlice',
    'networking.k8s.io': 'Ingress IngressClass NetworkPolicy ServiceCIDR',
    'node.k8s.io': 'RuntimeClass',
    'resource.k8s.io': 'DeviceClass ResourceClaim ResourceClaimTemplate',
    'scheduling.k8s.io': 'PriorityClass',
    'storage.k8s.io': 'CSIDriver CSINode StorageClass',
    'kro.run': 'Graph',
  }).map(([group, kinds]) => [group, new Set(kinds.split(/\s+/))]),
);

/** Literal names, labels and annotations are what the API server takes of every object, or of those of a standard kind (graph.md 4). */
export const objectMetadata: Rule = {
  after: 'check',
  diagnostics: [label, annotation, objectName, namespaceName],
  node(node, report) {
    const { kind, payload, checked } = node;
    if (kind?.makesObjects !== true || !isObject(payload) || !isObject(payload['metadata'])) return;
    const path = node.place.field(kind.name).field('metadata');
    checkName(literalPart(node, 'name'), checked?.target?.kind === 'static' ? checked.target.resource : undefined, path, report);
    const namespace = literalPart(node, 'namespace');
    if (namespace !== undefined && !isNamespace(namespace)) report(namespaceName({ text: namespace }, { path: path.field('namespace') }));
    const { labels, annotations } = payload['metadata'];
    if (isObject(labels)) checkLabels(labels, path.field('labels'), report);
    if (!isObject(annotations)) return;
    for (const key of Object.keys(annotations)) {
      if (!isLabelKey(key.toLowerCase())) report(annotation({ text: key }, { path: path.field('annotations').field(key) }));
    }
  },
};

function checkName(name: string | undefined, kind: ResourceKind | undefined, path: FieldPath, report: RuleReport): void {
  if (name === undefined) return;
  const isStrict = kind !== undefined && NAMED_AS_SUBDOMAINS.get(kind.group)?.has(kind.kind) === true;
  if (isStrict ? isSubdomain(name) : isSegment(name)) return;
  report(objectName({ text: name, of: kind?.kind ?? 'Kubernetes object' }, { path: path.field('name') }));
}

/** Whether a name can stand in the path of a request: what the API server asks of every name. */
function isSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/%]/.test(name);
}

function isNamespace(name: string): boolean {
  return name.length <= LONGEST_LABEL && !name.includes('.') && isSubdomain(name);
}

/** A key counts also where its value is null; an expression is judged when it is rendered. */
function checkLabels(labels: Readonly<Record<string, unknown>>, path: FieldPath, report: RuleReport): void {
  for (const [key, value] of Object.entries(labels)) {
    const place = { path: path.field(key) };
    if (!isLabelKey(key)) report(label({ what: 'key', text: key }, place));
    if (typeof value === 'string' && scan(value).kind === 'literal' && !isLabelValue(value))
      report(label({ what: 'value', text: value }, place));
  }
}
