import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers a request for an upgrade with an error status and closes its connection. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  ignoreErrors(socket);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}

/**
 * Keeps a connection that its peer resets from ending the process. Node takes its own listener away before the event
 * `upgrade`.
 */
export function ignoreErrors(socket: Duplex): void {
  if (!socket.listeners('error').includes(ignoreError)) socket.on('error', ignoreError);
}

function ignoreError(): void {}
