import { connect } from 'node:net';

export interface RawExchange {
  /** Written one after another. */
  readonly pieces: readonly string[];
  /** Kind of disconnection. */
  readonly leave: 'end' | 'reset' | 'destroy';
  /** The number of responses that the client waits for; null when it depends on the parser. */
  readonly answers: number | null;
}

const deadlineMs = 10_000;

/** Writes bytes on its own connection and disconnects. Returns a description of the fault, or null. */
export function rawExchange(origin: string, { pieces, leave, answers }: RawExchange): Promise<string | null> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    let answered = 0;
    /** Less than the start of a status line, such as `HTTP/1.1 200 `: none is counted twice. */
    let tail = '';
    const deadline = setTimeout(() => {
      socket.destroy();
      resolve(`the connection was still open after ${deadlineMs} ms, with ${JSON.stringify(received.slice(0, 300))}`);
    }, deadlineMs);
    const goodbye = (): void => {
      if (leave === 'end') socket.end();
      else if (leave === 'reset') socket.resetAndDestroy();
      else socket.destroy();
    };
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      received += text;
      if (answers === null) return;
      const unread = tail + text;
      tail = unread.slice(-12);
      answered += statusesOf(unread).length;
      if (answered >= answers) goodbye();
    });
    // A refused client may get a connection reset while it is still writing.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(deadline);
      resolve(leave === 'end' ? faultOf(received, answers) : null);
    });
    socket.on('connect', () => {
      const one = (piece: string): Promise<void> => new Promise((next) => socket.write(piece, 'latin1', () => next()));
      void write(pieces, one).then(() => {
        if (answers === null) goodbye();
      });
    });
  });
}

async function write(pieces: readonly string[], one: (piece: string) => Promise<void>): Promise<void> {
  for (const piece of pieces) {
    await one(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function faultOf(received: string, answers: number | null): string | null {
  const statuses = statusesOf(received);
  if (received !== '' && !received.startsWith('HTTP/1.1 ')) return `answered ${JSON.stringify(received.slice(0, 300))}`;
  if (statuses.includes(500)) return `answered 500: ${received.slice(0, 600)}`;
  if (answers !== null && statuses.length !== answers)
    return `gave ${statuses.length} answers: ${received.slice(0, 600)}`;
  return null;
}

function statusesOf(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
