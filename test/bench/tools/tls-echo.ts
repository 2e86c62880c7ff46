import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastify from 'fastify';

/** The floor: Fastify over TLS that reads a body and answers without looking at it. `tls-echo.ts PORT FOLDER`. */
const [port = '0', folder = '.'] = process.argv.slice(2);
const app = fastify({
  https: { cert: readFileSync(join(folder, 'tls.crt')), key: readFileSync(join(folder, 'tls.key')) },
  bodyLimit: 4 * 1024 * 1024,
});
app.removeAllContentTypeParsers();
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
const answer = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: 'x', allowed: true } });
app.post('/validate', async (_request, reply) => reply.type('application/json').send(answer));
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.stdout.write('listening\n');
