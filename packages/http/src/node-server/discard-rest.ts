import type { IncomingMessage } from 'node:http';

/** Beyond this a client is cut off rather than heard out. */
const maxDiscardedBytes = 16_777_216;

const discarding = new WeakSet<IncomingMessage>();

/**
 * Reads and drops what nobody read of a body: until then the client may not look at its answer, and the next request of
 * the connection waits behind it.
 */
export function discardRest(incoming: IncomingMessage): void {
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
