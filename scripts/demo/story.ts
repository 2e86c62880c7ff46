import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { DemoFailed, type Stage } from './stage.ts';

const COMMAND = resolve(import.meta.dirname, '../../bin/kro-graph');
const SAMPLE = 'examples/guestbook.yaml';
const MISTAKES = 'examples/mistakes.yaml';
const FEWEST_MISTAKES = 5;

/** Where the sample is applied. */
export interface Scene {
  readonly kubeconfig: string;
  readonly namespace: string;
}

/** Applies the sample, lets the object that it waits for appear, waits until it is Ready and prints its tree. */
export async function applySample(stage: Stage, { kubeconfig, namespace }: Scene): Promise<void> {
  stage.step('Apply a Graph: a web application whose parts read one another');
  await stage.kubectl('apply', '-f', SAMPLE);
  await stage.kubectl('wait', '--for=condition=Accepted', 'graph/guestbook', '--timeout=30s');
  await stage.quietly(
    'wait',
    '--for=jsonpath={.status.conditions[?(@.type=="ResourcesConverged")].reason}=DataPending',
    'graph/guestbook',
    '--timeout=60s',
  );
  await stage.kubectl('get', 'graph', 'guestbook', '-o', 'wide');

  stage.step('It waits for one object of another team, and for nothing else; here it comes');
  await stage.kubectl('create', 'configmap', 'team-info', '--from-literal=owner=web-team');
  await stage.kubectl('wait', '--for=condition=Ready', 'graph/guestbook', '--timeout=90s');
  await stage.kubectl('get', 'graph', 'guestbook');
  await stage.kubectl('get', 'configmaps,services,deployments', '-l', 'kro.run/node-id', '-L', 'kro.run/node-id');

  stage.step('The tree of its nodes');
  stage.say(`$ bin/kro-graph tree guestbook -n ${namespace}`);
  const { stdout } = await promisify(execFile)(COMMAND, ['tree', 'guestbook', '-n', namespace, '--kubeconfig', kubeconfig]);
  stage.show(stdout);
  for (const wanted of ['deployment', 'cache', 'pages']) {
    if (!stdout.includes(wanted)) throw new DemoFailed(`the tree does not show node "${wanted}"`);
  }
}

/** Applies a Graph with five mistakes: all of them must be in the answer. */
export async function refuseMistakes(stage: Stage): Promise<void> {
  stage.step('Apply a Graph with five mistakes: kubectl says at once what is wrong, and where');
  const { code, stderr } = await stage.tryKubectl('apply', '-f', MISTAKES);
  if (code === 0) throw new DemoFailed(`${MISTAKES} was not refused`);
  const named = ['settingz', 'int', 'imagee', 'cycle', 'patch'].filter((word) => stderr.includes(word));
  if (named.length < FEWEST_MISTAKES) throw new DemoFailed(`the refusal names only ${named.join(', ')}`);
}

/** Edits a managed object by hand: the controller restores it. */
export async function repairDrift(stage: Stage): Promise<void> {
  stage.step('Edit one of its objects by hand: it is restored');
  await stage.kubectl('patch', 'configmap', 'guestbook-config', '--type=merge', '-p', '{"data":{"greeting":"Hacked"}}');
  await stage.kubectl('wait', '--for=jsonpath={.data.greeting}=Welcome to guestbook', 'configmap/guestbook-config', '--timeout=30s');
  await stage.kubectl('get', 'configmap', 'guestbook-config', '-o', 'jsonpath={.data.greeting}{"\\n"}');
}

/** Deletes the Graph: its objects go, the last made first, and the object of the other team stays. */
export async function deleteSample(stage: Stage): Promise<void> {
  stage.step('Delete the Graph: its objects go in reverse order, what it only read stays');
  await stage.kubectl('delete', 'graph', 'guestbook', '--timeout=90s');
  await stage.kubectl('get', 'configmaps,services,deployments', '-l', 'kro.run/node-id');
  const left = await stage.quietly('get', 'configmaps,services,deployments', '-l', 'kro.run/node-id', '-o', 'name');
  if (left.trim() !== '') throw new DemoFailed(`objects are left: ${left.trim().replaceAll('\n', ', ')}`);
  await stage.kubectl('get', 'configmap', 'team-info');
  await stage.kubectl(
    'get',
    'events',
    '--field-selector=involvedObject.kind=Graph',
    '-o',
    'custom-columns=REASON:.reason,MESSAGE:.message',
  );
}
