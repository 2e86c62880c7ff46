import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

interface Connection {
  readonly socket: Socket;
  /** Undefined until the handshake is done. */
  tls: TLSSocket | undefined;
  /** Requests that are not answered yet. */
  requests: number;
}

/** Looks at this pace, and so many looks without a request: then a connection counts as one that brings none. */
const LOOK_MILLISECONDS = 250;
const QUIET_LOOKS = 4;

/**
 * The connections of a TLS server, so that it can end. Node's `close` waits for ever for a connection that has brought no request yet
 * (clients open such ones ahead when many requests come at once), for a handshake that stops halfway, and for a body that never ends.
 */
export class Connections {
  /** By the client's address: it is what the socket, its TLS layer and its requests have in common. */
  readonly #open = new Map<string, Connection>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const key = keyOf(socket);
      const connection: Connection = { socket, tls: undefined, requests: 0 };
      this.#open.set(key, connection);
      socket.once('close', () => {
        if (this.#open.get(key) === connection) this.#open.delete(key);
      });
    });
    server.on('secureConnection', (tls: TLSSocket) => {
      const connection = this.#open.get(keyOf(tls));
      if (connection !== undefined) connection.tls = tls;
    });
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const connection = this.#open.get(keyOf(socket));
      if (connection === undefined) return;
      connection.requests += 1;
      response.once('close', () => {
        connection.requests -= 1;
      });
    });
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Until the signal: ends connections that bring no request, and leaves those alone that do. Each look comes after the event loop has
   * turned, so that a request that has arrived is seen however busy the machine is.
   */
  async endQuiet(signal: AbortSignal): Promise<void> {
    const looks = new Map<Connection, number>();
    while (this.#open.size > 0 && !signal.aborted) {
      await turn(LOOK_MILLISECONDS);
      for (const connection of this.#open.values()) {
        const seen = connection.requests > 0 ? 0 : (looks.get(connection) ?? 0) + 1;
        looks.set(connection, seen);
        if (seen < QUIET_LOOKS) continue;
        if (connection.tls === undefined || seen > 2 * QUIET_LOOKS) connection.socket.destroy();
        else connection.tls.end();
      }
    }
  }

  /** Ends all that are open; tells how many there were. */
  cut(): number {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { tls, socket } of open) {
      tls?.destroy();
      socket.destroy();
    }
    return open.length;
  }
}

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function turn(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(() => setImmediate(resolve), milliseconds));
}
