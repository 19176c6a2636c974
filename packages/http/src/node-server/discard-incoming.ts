import type { IncomingMessage } from 'node:http';

/** Unread bytes beyond which the connection is closed instead of drained. */
const maxDiscardedBytes = 16_777_216;

const discarding = new WeakSet<IncomingMessage>();

/**
 * Drains the unread rest of a request body: some clients read the response only after they have sent everything, and
 * the next request of the connection waits until the rest is read.
 */
export function discardIncoming(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  incoming.resume();
  if (discarding.has(incoming)) return;
  discarding.add(incoming);
  let left = maxDiscardedBytes;
  incoming.on('error', () => {});
  incoming.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) incoming.destroy();
  });
}
