import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/**
 * Below the range from which systems give ports to outgoing connections (32768 and more on Linux): a port of that range that is free now may be
 * an end of anybody's connection a moment later, and then no server can have it.
 */
const [FIRST, LAST] = [14_000, 32_000] as const;

/** Ports of 127.0.0.1 that nobody listens on now, each another one. */
export async function freePorts(count: number): Promise<number[]> {
  const servers: Server[] = [];
  const ports: number[] = [];
  while (servers.length < count) {
    const port = randomInt(FIRST, LAST);
    const server = await listen(port);
    if (server === undefined) continue;
    servers.push(server);
    ports.push(port);
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Undefined: it is taken. */
function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
