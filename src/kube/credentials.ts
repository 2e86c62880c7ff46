import { ExecAuth } from '@kubernetes/client-node/dist/exec_auth.js';
import type { ClusterAccess, TlsMaterial } from './config.ts';
import { RereadFile, readOrExplain } from './files.ts';
import type { KubeconfigUser } from './kubeconfig.ts';

/** The part of a ClusterAccess that depends on how a user proves who it is. */
export type Credentials = Pick<ClusterAccess, 'tls' | 'authorization' | 'forgetCredentials'>;

/** A kubeconfig user's credentials: exec plugin, auth provider, token file, token, name and password; or only the certificate in `readTls`. */
export function credentials(user: KubeconfigUser, readTls: () => Promise<TlsMaterial>): Credentials {
  if (user.exec) return execCredentials(user, readTls);
  if (user.authProvider) return providerCredentials(user, readTls);
  if (user.tokenFile) {
    const token = new RereadFile(user.tokenFile);
    readOrExplain(() => token.read(), `the token file ${user.tokenFile}, named by the kubeconfig`);
    return { tls: readTls, authorization: async () => `Bearer ${token.read()}`, forgetCredentials: () => token.forget() };
  }
  const basic = user.username ? `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}` : undefined;
  const header = user.token ? `Bearer ${user.token}` : basic;
  return { tls: readTls, authorization: async () => header, forgetCredentials: () => {} };
}

/** The part of a request that the package's authenticators fill. */
interface Authentication {
  headers: Record<string, string>;
  cert?: string;
  key?: string;
}

function execCredentials(user: KubeconfigUser, readTls: () => Promise<TlsMaterial>): Credentials {
  let authenticator = new ExecAuth();
  const authenticate = async (): Promise<Authentication> => {
    const filled: Authentication = { headers: {} };
    await authenticator.applyAuthentication(user, filled);
    return filled;
  };
  return {
    tls: async () => {
      const { cert, key } = await authenticate();
      return { ...(await readTls()), ...(cert && { cert }), ...(key && { key }) };
    },
    authorization: async () => (await authenticate()).headers['Authorization'],
    forgetCredentials: () => {
      authenticator = new ExecAuth();
    },
  };
}

function providerCredentials(user: KubeconfigUser, readTls: () => Promise<TlsMaterial>): Credentials {
  const authorization = async (): Promise<string | undefined> => {
    const { KubeConfig } = await import('@kubernetes/client-node');
    const config = new KubeConfig();
    config.loadFromClusterAndUser({ name: 'any', server: 'https://any', skipTLSVerify: false }, user);
    const filled: Authentication = { headers: {} };
    await config.applyToHTTPSOptions(filled);
    return filled.headers['Authorization'];
  };
  return { tls: readTls, authorization, forgetCredentials: () => {} };
}
