import { readFileSync, writeFileSync } from 'node:fs';

/** Where an API server is, whom to trust, and who one is. */
export interface Access {
  readonly server: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly token: string;
}

/** Writes a kubeconfig (as JSON, which is YAML) that only this user can read; commands act in `namespace` unless told otherwise. */
export function writeKubeconfig(file: string, access: Access, namespace = 'default'): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [
      {
        name: 'test',
        cluster: { server: access.server, 'certificate-authority-data': Buffer.from(access.certificateAuthority).toString('base64') },
      },
    ],
    users: [{ name: 'test', user: { token: access.token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace } }],
  };
  writeFileSync(file, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
  return file;
}

/** Reads a kubeconfig that {@link writeKubeconfig} wrote. */
export function readKubeconfig(file: string): Access {
  const config = JSON.parse(readFileSync(file, 'utf8')) as {
    clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
    users: [{ user: { token: string } }];
  };
  const { cluster } = config.clusters[0];
  return {
    server: cluster.server,
    certificateAuthority: Buffer.from(cluster['certificate-authority-data'], 'base64').toString(),
    token: config.users[0].user.token,
  };
}
