import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject, JsonValue } from '../../src/api/object.ts';

const CHART = resolve(import.meta.dirname, '../../charts/kro-graph');

/** Where the doors run: their namespace and the names of their ServiceAccounts. */
export interface Release {
  readonly namespace: string;
  readonly webhookAccount: string;
  readonly controllerAccount: string;
}

/** The chart's CustomResourceDefinition, as a path for kubectl. */
export const CRD_FOLDER = resolve(CHART, 'files/crds');

/** Namespace, ServiceAccounts and exactly the rights that the chart gives them. */
export function accessObjects({ namespace, webhookAccount, controllerAccount }: Release): JsonObject[] {
  const account = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    account(webhookAccount),
    account(controllerAccount),
    ...clusterRights(webhookAccount, namespace, rules('webhook')),
    ...clusterRights(controllerAccount, namespace, [
      ...rules('controller'),
      ...rules('controller-impersonate'),
      ...rules('controller-watch'),
    ]),
    ...namespaceRights(controllerAccount, namespace, rules('release-namespace')),
  ];
}

/** The webhook's registration, for a server at `url` whose certificate `certificateAuthority` (PEM) signed. */
export function webhookConfiguration(url: string, certificateAuthority: string): JsonObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'kro-graph' },
    webhooks: [
      {
        name: 'validate.graphs.kro.run',
        clientConfig: { url, caBundle: Buffer.from(certificateAuthority).toString('base64') },
        rules: [
          {
            apiGroups: ['kro.run'],
            apiVersions: ['v1alpha1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['graphs'],
            scope: 'Namespaced',
          },
        ],
        admissionReviewVersions: ['v1'],
        matchPolicy: 'Equivalent',
        sideEffects: 'None',
        failurePolicy: 'Fail',
        timeoutSeconds: 10,
        objectSelector: {},
        matchConditions: [
          {
            name: 'spec-changed',
            expression: "request.operation == 'CREATE' || object.metadata.generation != oldObject.metadata.generation",
          },
          {
            name: 'not-deleting',
            expression: '!has(object.metadata.deletionTimestamp) || object.spec.?serviceAccountName != oldObject.spec.?serviceAccountName',
          },
        ],
      },
    ],
  };
}

function rules(file: string): JsonValue[] {
  return parse(readFileSync(resolve(CHART, `files/rbac/${file}.yaml`), 'utf8'));
}

function clusterRights(name: string, namespace: string, granted: JsonValue[]): JsonObject[] {
  return [
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules: granted },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ];
}

function namespaceRights(name: string, namespace: string, granted: JsonValue[]): JsonObject[] {
  return [
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name, namespace }, rules: granted },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name, namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ];
}
