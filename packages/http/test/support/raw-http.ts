import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Sends bytes as they are. Returns everything that the server sends until it closes the connection. */
export async function sendRaw(origin: string, text: string): Promise<string> {
  const connection = openRaw(origin);
  connection.send(text);
  return await connection.closed;
}

export interface RawConnection {
  readonly socket: Socket;
  send(text: string): void;
  /** Resolves once what the server has sent matches. */
  received(pattern: RegExp): Promise<void>;
  /** Everything that the server sent until it closed the connection. */
  readonly closed: Promise<string>;
}

/** Opens a connection that sends and receives bytes as they are. */
export function openRaw(origin: string): RawConnection {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  const closed = new Promise<string>((resolve) => {
    const end = (): void => resolve(answer);
    socket.on('close', end).on('error', end);
  });
  return {
    socket,
    send: (text) => void socket.write(text),
    async received(pattern) {
      while (!pattern.test(answer)) {
        if (socket.destroyed) throw new Error(`The connection closed after "${answer}", which is no ${pattern}.`);
        await Promise.race([once(socket, 'data'), closed]);
      }
    },
    closed,
  };
}
