import { test } from 'tap';
import { issueAuthority, issueLeaf } from '../../webhook/certificates/issue.ts';
import type { KeyPair } from '../../webhook/tls.ts';
import { requestsFrom } from './audit.ts';
import { applyGraph, greeting, makeTenant, markOf, untilJudged, untilMarkSeen, wrongGreeting } from './graphs.ts';
import { startLoad } from './load.ts';
import { merge, startRelease, withChart } from './release.ts';
import { untilServed } from './served.ts';

const TENANT = 'tenant';
const NAME = 'own-certificate';

test("secret: a certificate of one's own; leaf and CA are changed under load, and no request is lost", async (t) => {
  const { cluster, namespace, local, helm, pod } = await startRelease(t);
  const { admin } = cluster;
  const port: number = local['webhook'].containerPort;
  const secrets = `/api/v1/namespaces/${namespace}/secrets`;
  const dataOf = ({ certificate, key }: KeyPair) => ({ 'tls.crt': certificate, 'tls.key': key });
  const give = (leaf: KeyPair) => admin.patch(`${secrets}/${NAME}`, { stringData: dataOf(leaf) });
  const valuesWith = (caBundle: string, mark: string) => {
    const tls = { mode: 'secret', secret: { name: NAME, caBundle } };
    return merge(local, { webhook: { tls, extraMatchConditions: [markOf(mark)] } });
  };
  const [old, next] = await Promise.all([makeAuthority('old'), makeAuthority('next')]);
  const leaf = (authority: KeyPair): Promise<KeyPair> => issueLeaf(authority, ['127.0.0.1'], validity());
  await makeTenant(cluster, TENANT);

  await helm(withChart('install', 'kro-graph'), valuesWith(old.certificate, 'first'));
  const starting = pod({ name: 'kro-graph-webhook' });
  await admin.create(secrets, { metadata: { name: NAME }, type: 'kubernetes.io/tls', stringData: dataOf(await leaf(old)) });
  await (await starting).untilReady();
  await untilJudged(cluster, TENANT);
  t.match((await applyGraph(cluster, TENANT, wrongGreeting('wrong'))).said, /settigns/, 'a wrong Graph is refused');
  t.equal((await applyGraph(cluster, TENANT, greeting('right'))).code, 0, 'a right one admitted');

  const load = startLoad(t, cluster, { namespace: TENANT });
  const renewed = await leaf(old);
  await give(renewed);
  await untilServed(port, renewed.certificate);
  await helm(withChart('upgrade', 'kro-graph'), valuesWith(old.certificate + next.certificate, 'both'));
  await untilMarkSeen(cluster, TENANT, 'both');
  const moved = await leaf(next);
  await give(moved);
  await untilServed(port, moved.certificate);
  await helm(withChart('upgrade', 'kro-graph'), valuesWith(next.certificate, 'next'));
  await untilMarkSeen(cluster, TENANT, 'next');
  // A pair that does not fit is not served.
  await admin.patch(`${secrets}/${NAME}`, { stringData: { 'tls.key': (await leaf(next)).key } });
  await new Promise((resolve) => setTimeout(resolve, 4000));
  await untilServed(port, moved.certificate);
  const { sent, failures } = await load.end();
  t.ok(sent > 50, `${sent} requests`);
  t.strictSame(failures, [], 'all of them were answered');
  t.strictSame(requestsFrom(cluster, namespace).forbidden, [], 'the rights of the chart suffice');
});

function makeAuthority(name: string): Promise<KeyPair> {
  return issueAuthority(`kro-graph test ${name}`, validity());
}

function validity(): { now: Date; milliseconds: number } {
  return { now: new Date(), milliseconds: 86_400_000 };
}
