import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { webhookConfiguration } from '../../scripts/demo/installation.ts';
import { freePorts } from '../cluster/free-ports.ts';
import { kubectl } from '../cluster/kubectl.ts';
import { makeCertificates } from '../support/certs.ts';
import { RELEASE, writePair } from '../support/webhook.ts';

// What `runtime.py --webhook-cmd` runs: starts the webhook as whom KUBECONFIG says, and registers it for all namespaces. Both end with the runner.
const kubeconfig = process.env['KUBECONFIG'] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'kro-graph-webhook-'));
const certificates = await makeCertificates({ hosts: ['127.0.0.1'] });
writePair(folder, certificates);
const [port = 0] = await freePorts(1);
const child = spawn(
  resolve(import.meta.dirname, '../../bin/kro-graph'),
  [
    ...['webhook', '--kubeconfig', kubeconfig, '--host', '127.0.0.1', '--port', String(port), '--cert-dir', folder],
    ...['--probe-port', '0', '--metrics-port', '0'],
    ...['--controller-service-account', `${RELEASE.namespace}/${RELEASE.controllerAccount}`],
  ],
  { stdio: 'inherit' },
);
child.once('exit', (code) => process.exit(code ?? 1));
const registration = webhookConfiguration(`https://127.0.0.1:${port}/validate`, certificates.certificateAuthority);
await kubectl(['apply', '--server-side', '--force-conflicts', '--filename', '-'], { kubeconfig, input: JSON.stringify(registration) });
