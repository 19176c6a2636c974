import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';

/** An HTTP server on a free port of 127.0.0.1. */
export class LocalServer {
  readonly http: Server = createServer();
  /** All accepted WebSockets that are still open. */
  readonly sockets: Set<WebSocket> = new Set();

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve));
  }

  get host(): string {
    return `127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  /** Handles WebSocket upgrades: `refuse` may return an HTTP status to reject one, `accept` gets the others. */
  acceptSockets(
    refuse: (request: IncomingMessage) => number | undefined,
    accept: (socket: WebSocket, request: IncomingMessage) => void,
  ): void {
    const upgrades = new WebSocketServer({ noServer: true });
    this.http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const status = refuse(request);
      if (status !== undefined) {
        socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
        return;
      }
      upgrades.handleUpgrade(request, socket, head, (accepted) => {
        this.sockets.add(accepted);
        accepted.on('error', () => accepted.terminate());
        accepted.on('close', () => this.sockets.delete(accepted));
        accept(accepted, request);
      });
    });
  }

  /** Closes every connection abruptly and stops listening. */
  async close(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    this.http.closeAllConnections();
    await new Promise<void>((resolve) => this.http.close(() => resolve()));
  }
}

/** Returns a WebSocket message as UTF-8 text. */
export function textOf(data: RawData): string {
  return (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)).toString('utf8');
}

/** Parses a JSON object; returns an empty one for anything else. */
export function objectOf(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
