import { writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import t from 'tap';
import { loadConfig } from '../../src/kube/config.ts';

const cluster = (name: string, server = 'https://127.0.0.1:6443', more: object = {}) => ({ name, cluster: { server, ...more } });
const context = (name: string, of = { cluster: 'c', user: 'u' }) => ({ name, context: { ...of, namespace: 'team' } });
const kubeconfig = (parts: object): string => JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...parts });
const whole = { 'current-context': 'x', clusters: [cluster('c')], users: [{ name: 'u', user: { token: 't' } }], contexts: [context('x')] };

const wrong: readonly [title: string, content: string, message: RegExp][] = [
  ['an empty file', '', /^kubeconfig .*f: it is not a mapping$/],
  ['what is no YAML', 'a: [', /^kubeconfig .*f: Flow sequence/],
  ['no current context', kubeconfig({ ...whole, 'current-context': '' }), /^kubeconfig .*f: it has no current-context$/],
  ['a context that is missing', kubeconfig({ ...whole, contexts: [] }), /f: context "x" is not defined$/],
  ['a cluster that is missing', kubeconfig({ ...whole, clusters: [] }), /f: cluster "c" is not defined$/],
  ['a user that is missing', kubeconfig({ ...whole, users: [] }), /f: user "u" is not defined$/],
  [
    'a cluster without a server',
    kubeconfig({ ...whole, clusters: [{ name: 'c', cluster: {} }] }),
    /f: clusters\[0\].cluster.server is missing$/,
  ],
  ['a server that is no URL', kubeconfig({ ...whole, clusters: [cluster('c', 'nowhere')] }), /server "nowhere" of cluster "c" is no URL$/],
  [
    'a CA file that is missing',
    kubeconfig({ ...whole, clusters: [cluster('c', undefined, { 'certificate-authority': 'ca' })] }),
    /^cannot read .*ca, named by the kubeconfig: ENOENT/,
  ],
  [
    'a token file that is missing',
    kubeconfig({ ...whole, users: [{ name: 'u', user: { tokenFile: 'token' } }] }),
    /^cannot read the token file .*token, named by/,
  ],
  [
    'a proxy',
    kubeconfig({ ...whole, clusters: [cluster('c', undefined, { 'proxy-url': 'http://p' })] }),
    /proxy-url of cluster "c" is not supported$/,
  ],
];
for (const [title, content, message] of wrong) {
  t.test(`one clear line for ${title}`, async (t) => {
    const folder = t.testdir({ f: content });
    t.throws(() => loadConfig({ kubeconfig: `${folder}/f`, environment: {} }), { name: 'ConfigError', message });
    try {
      loadConfig({ kubeconfig: `${folder}/f`, environment: {} });
    } catch (error) {
      t.notMatch(String(error), /\n/);
    }
  });
}

t.test('a file that does not exist, and nothing at all', async (t) => {
  t.throws(() => loadConfig({ kubeconfig: '/no/such', environment: {} }), { message: /^cannot read kubeconfig \/no\/such: ENOENT/ });
  t.throws(() => loadConfig({ environment: {} }), {
    message: 'no API server: give --kubeconfig or KUBECONFIG, or run in a pod with a ServiceAccount',
  });
});

t.test('credentials of a kubeconfig', async (t) => {
  const folder = t.testdir({
    token: 'from-file\n',
    'plugin.sh': `printf '{"status":{"token":"from-%s"}}' "\${KUBERNETES_EXEC_INFO:+$GIVEN}"`,
  });
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: '/bin/sh',
    args: [`${folder}/plugin.sh`],
    env: [{ name: 'GIVEN', value: 'plugin' }],
  };
  const users: readonly [title: string, user: object, header: string | undefined][] = [
    ['a token', { token: 'plain' }, 'Bearer plain'],
    ['a token file, beside the kubeconfig', { tokenFile: 'token' }, 'Bearer from-file'],
    ['a name and a password', { username: 'ann', password: 'pw' }, `Basic ${Buffer.from('ann:pw').toString('base64')}`],
    ['an exec plugin', { exec }, 'Bearer from-plugin'],
    ['none but a certificate', {}, undefined],
  ];
  for (const [title, user, header] of users) {
    await t.test(title, async (t) => {
      writeFileSync(`${folder}/config`, kubeconfig({ ...whole, users: [{ name: 'u', user }] }));
      const access = loadConfig({ kubeconfig: `${folder}/config`, environment: {} });
      t.equal(await access.authorization(), header);
      t.same([access.server, access.namespace], ['https://127.0.0.1:6443', 'team']);
    });
  }
});

t.test('KUBECONFIG with several files: the first that names a thing wins, as in kubectl', async (t) => {
  const first = kubeconfig({ 'current-context': 'x', contexts: [context('x')], clusters: [cluster('c', 'https://127.0.0.1:1')] });
  const second = kubeconfig({ ...whole, 'current-context': 'y', clusters: [cluster('c', 'https://127.0.0.1:2')] });
  const folder = t.testdir({ first, second });
  const access = loadConfig({ environment: { KUBECONFIG: `${folder}/first${delimiter}${folder}/second` } });
  t.equal(access.server, 'https://127.0.0.1:1');
  t.equal(await access.authorization(), 'Bearer t');
});

t.test('in a pod: the ServiceAccount of the pod, its token read again when it was refused', async (t) => {
  const podFolder = t.testdir({ token: 'one', namespace: 'kro-system', 'ca.crt': 'CA' });
  const environment = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
  const access = loadConfig({ environment, podFolder });
  t.same([access.server, access.namespace, await access.authorization()], ['https://[fd00::1]:443', 'kro-system', 'Bearer one']);
  t.match(await access.tls(), { ca: Buffer.from('CA') });
  writeFileSync(`${podFolder}/token`, 'two');
  t.equal(await access.authorization(), 'Bearer one');
  access.forgetCredentials();
  t.equal(await access.authorization(), 'Bearer two');
  t.throws(() => loadConfig({ environment, podFolder: t.testdir({}) }), { message: /^cannot read the ServiceAccount's token/ });
});
