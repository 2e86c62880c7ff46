import { X509Certificate } from 'node:crypto';
import type { JsonPatchOperation, KubeClient, ObjectRef } from '../../src/kube/client.ts';

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** The ValidatingWebhookConfiguration that makes the API server ask us, as far as certificates go. */
export interface LiveConfiguration {
  readonly resourceVersion: string;
  /** The caBundle of each of its webhooks, as PEM; empty where there is none. */
  readonly bundles: readonly string[];
}

/** Where the configuration of this name is. */
export function configurationRef(name: string): ObjectRef {
  return { group: 'admissionregistration.k8s.io', version: 'v1', plural: 'validatingwebhookconfigurations', name };
}

/** Reads the configuration; throws ApiError when it does not exist. */
export async function readConfiguration(client: KubeClient, name: string, signal: AbortSignal): Promise<LiveConfiguration> {
  const object = await client.get(configurationRef(name), { signal });
  const webhooks = (object['webhooks'] ?? []) as readonly { readonly clientConfig?: { readonly caBundle?: string } }[];
  return {
    resourceVersion: object.metadata.resourceVersion ?? '',
    bundles: webhooks.map(({ clientConfig }) => Buffer.from(clientConfig?.caBundle ?? '', 'base64').toString('utf8')),
  };
}

/** The patch that gives each webhook this bundle, and that fails when the configuration is no longer the one that was read. */
export function bundlePatch({ resourceVersion, bundles }: LiveConfiguration, bundle: string): readonly JsonPatchOperation[] {
  const value = Buffer.from(bundle).toString('base64');
  return [
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    ...bundles.map((_, index): JsonPatchOperation => ({ op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value })),
  ];
}

/** Whether each webhook of the configuration trusts the authority that signed this leaf. */
export function verifies({ bundles }: LiveConfiguration, leaf: X509Certificate): boolean {
  return bundles.length > 0 && bundles.every((bundle) => authorities(bundle).some((authority) => isSignedBy(leaf, authority)));
}

/** Whether this very certificate stands in the bundle of each webhook. */
export function contains({ bundles }: LiveConfiguration, certificate: string): boolean {
  const wanted = new X509Certificate(certificate).fingerprint256;
  return bundles.length > 0 && bundles.every((bundle) => authorities(bundle).some(({ fingerprint256 }) => fingerprint256 === wanted));
}

function isSignedBy(leaf: X509Certificate, authority: X509Certificate): boolean {
  return leaf.checkIssued(authority) && leaf.verify(authority.publicKey);
}

/** Certificates that can be read; a damaged one trusts nothing. */
function authorities(bundle: string): X509Certificate[] {
  return (bundle.match(CERTIFICATES) ?? []).flatMap((pem) => {
    try {
      return [new X509Certificate(pem)];
    } catch {
      return [];
    }
  });
}
