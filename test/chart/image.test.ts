import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { startCluster } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/free-ports.ts';
import { makeCertificates } from '../support/certs.ts';
import { writePair } from '../support/webhook.ts';
import { buildImage, filesIn, type Image } from './dockerfile.ts';

const ROOT = resolve(import.meta.dirname, '../..');

test('the Dockerfile makes an image that starts both processes with what production needs, and nothing else', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kro-graph-image-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const [image, cluster] = await Promise.all([buildImage(ROOT, folder), startCluster()]);
  t.teardown(cluster.stop);
  const app = join(image.root, image.workdir);

  t.match(image.env, { NODE_ENV: 'production', MALLOC_ARENA_MAX: '1' });
  t.equal(image.user, '65532:65532', 'not as root, and by number, so that runAsNonRoot can be checked');
  t.strictSame(readdirSync(app).sort(), ['LICENSE', 'bin', 'dist', 'node_modules', 'package.json']);
  t.strictSame(filesIn(app, '{bin,dist}/**/*.ts'), [], 'no TypeScript');
  const { devDependencies } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  t.strictSame(
    Object.keys(devDependencies).filter((name) => existsSync(join(app, 'node_modules', name, 'package.json')) && !isAlsoNeeded(name)),
    [],
  );
  t.match(await output(image, ['webhook', '--help']), /Usage: kro-graph webhook/);
  t.match(await output(image, ['controller', '--help']), /Usage: kro-graph controller/);

  await cluster.kubectl(['apply', '--server-side', '--filename', join(ROOT, 'charts/kro-graph/files/crds')]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd/graphs.kro.run']);
  const certDir = join(folder, 'certificate');
  const pair = await makeCertificates({ hosts: ['127.0.0.1'] });
  mkdirSync(certDir);
  writePair(certDir, pair);
  const common = ['--kubeconfig', cluster.kubeconfig, '--host', '127.0.0.1', '--metrics-port', '0'];
  await becomesReady(t, image, ['webhook', ...common, '--port', '0', '--cert-dir', certDir, '--shutdown-delay', '0s']);
  await becomesReady(t, image, ['controller', ...common]);
});

/** Development packages that a production package depends on as well. */
function isAlsoNeeded(name: string): boolean {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return lock.packages[`node_modules/${name}`]?.dev !== true;
}

function start(image: Image, args: readonly string[]) {
  const [program = '', ...rest] = image.entrypoint.map((part) => (part.startsWith('/') ? join(image.root, part) : part));
  const env = { ...image.env, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  return spawn(program, [...rest, ...args], { cwd: join(image.root, image.workdir), env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function output(image: Image, args: readonly string[]): Promise<string> {
  const child = start(image, args);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  await new Promise((done) => child.once('close', done));
  return text;
}

async function becomesReady(t: Test, image: Image, args: readonly string[]): Promise<void> {
  const [probePort = 0] = await freePorts(1);
  const child = start(image, [...args, '--probe-port', String(probePort)]);
  const ended = new Promise<number>((done) => child.once('close', (code) => done(code ?? 1)));
  t.teardown(() => child.kill('SIGKILL'));
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      log += part;
    });
  }
  const deadline = Date.now() + 180_000;
  let said = 'nothing';
  while (said !== 'ok\n' && Date.now() < deadline && child.exitCode === null) {
    said = await fetch(`http://127.0.0.1:${probePort}/readyz`).then((answer) => answer.text(), String);
    await sleep(100);
  }
  t.equal(said, 'ok\n', `${args[0]} is ready: ${log.slice(-1000)}`);
  child.kill('SIGTERM');
  t.equal(await ended, 0, `${args[0]} ends in order`);
}
