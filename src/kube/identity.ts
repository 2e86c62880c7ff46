import type { CallOptions, KubeClient } from './client.ts';
import type { ResourceRef } from './resource.ts';

/** Who a client is to the API server. */
export interface WhoAmI {
  readonly user: string;
  readonly groups: readonly string[];
}

const REVIEWS: ResourceRef = { group: 'authentication.k8s.io', version: 'v1', plural: 'selfsubjectreviews' };

/** The user and the groups that this client's credentials stand for (SelfSubjectReview; operations.md 5). */
export async function whoAmI(client: KubeClient, options: CallOptions = {}): Promise<WhoAmI> {
  const { object } = await client.create(REVIEWS, { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }, options);
  const status = object['status'] as
    | { readonly userInfo?: { readonly username?: string; readonly groups?: readonly string[] } }
    | undefined;
  return { user: status?.userInfo?.username ?? '', groups: status?.userInfo?.groups ?? [] };
}
