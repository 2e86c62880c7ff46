import type { ResourceKind } from '../../api/object.ts';

/** The standard kinds whose names are subdomains of DNS, by their groups: no schema says so. Others have names of another form, or of any. */
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

/** Whether the API server takes only subdomains of DNS for the names of a kind. */
export function isNamedAsSubdomain({ group, kind }: Pick<ResourceKind, 'group' | 'kind'>): boolean {
  return NAMED_AS_SUBDOMAINS.get(group)?.has(kind) === true;
}
