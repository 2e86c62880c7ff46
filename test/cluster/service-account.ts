import type { Admin } from './admin.ts';

/** Which ServiceAccount. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** A real token (TokenRequest, one day) of a ServiceAccount, which is made if it is missing. */
export async function serviceAccountToken(admin: Admin, { namespace, name }: Account): Promise<string> {
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const made = await admin.request({ method: 'POST', path: accounts, body: { metadata: { name } } });
  if (made.status >= 300 && made.status !== 409)
    throw new Error(`cannot make ServiceAccount ${namespace}/${name}: ${made.body['message']}`);
  const answer = await admin.create(`${accounts}/${name}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 86_400 },
  });
  return answer['status'].token;
}
