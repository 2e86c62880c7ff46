// What `helm test` runs: creates a right and a wrong Graph by dry run, and expects the one to be admitted and the other to be refused.
import { readFileSync } from 'node:fs';
import { request } from 'node:https';

const { ACCOUNT_FOLDER: folder, KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
const { ACCOUNT: serviceAccountName, EXPECT_REFUSAL: refusal } = process.env;
const read = (name) => readFileSync(`${folder}/${name}`, 'utf8').trim();
const path = `/apis/kro.run/v1alpha1/namespaces/${read('namespace')}/graphs?dryRun=All`;
const headers = { authorization: `Bearer ${read('token')}`, 'content-type': 'application/json' };

const create = (name, nodes) =>
  new Promise((resolve, reject) => {
    const sent = request({ host, port, path, method: 'POST', headers, ca: read('ca.crt'), timeout: 30_000 }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode, message: JSON.parse(text).message ?? '' }));
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer within 30 s')));
    sent.on('error', reject);
    sent.end(JSON.stringify({ apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name }, spec: { serviceAccountName, nodes } }));
  });

const expect = (what, answer, isRight) => {
  console.log(`${isRight ? 'ok' : 'NOT OK'}: ${what}: ${answer.status} ${answer.message}`);
  if (!isRight) process.exitCode = 1;
};

// They act as this very account and touch nothing in the cluster: whatever the policies are, the verdict is about the Graph alone.
const settings = { id: 'settings', def: { greeting: 'hello' } };
const page = (text) => ({ id: 'page', def: { text } });

const right = await create('kro-graph-test', [settings, page('${settings.greeting}')]);
expect('a right Graph is admitted', right, right.status === 201);
if (refusal === 'yes') {
  const wrong = await create('kro-graph-test', [settings, page('${settigns.greeting}')]);
  expect('a wrong Graph is refused, and told why', wrong, wrong.status === 422 && wrong.message.includes('settigns'));
}
