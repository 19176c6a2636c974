import type { IncomingMessage } from 'node:http';
import { bodyBrokeOff, bodyTooLarge, type RequestBody } from '../message/request-body.ts';
import { discardIncoming } from './discard-incoming.ts';

/** A body that is still on the connection. Reads a chunk only when its reader asks for one. */
export class WireBody implements RequestBody {
  readonly parsed = null;
  readonly isEncoded = true;
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  bytes(maxBytes: number): Promise<Uint8Array> {
    const incoming = this.#incoming;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let byteLength = 0;
      const stop = (): void => {
        incoming.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak);
      };
      const onData = (chunk: Buffer): void => {
        byteLength += chunk.byteLength;
        chunks.push(chunk);
        if (byteLength <= maxBytes) return;
        stop();
        incoming.pause();
        reject(bodyTooLarge(maxBytes));
      };
      const onEnd = (): void => {
        stop();
        const [first] = chunks;
        resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, byteLength));
      };
      const onBreak = (): void => {
        stop();
        reject(bodyBrokeOff());
      };
      if (isLost(incoming)) return onBreak();
      incoming.on('data', onData).on('end', onEnd).on('error', onBreak).on('close', onBreak);
    });
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    const incoming = this.#incoming;
    const chunks: Buffer[] = [];
    const source = { hasEnded: false, isBroken: isLost(incoming) };
    let wake = (): void => {};
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      incoming.pause();
      wake();
    };
    const onEnd = (): void => {
      source.hasEnded = true;
      wake();
    };
    const onBreak = (): void => {
      source.isBroken = true;
      wake();
    };
    incoming.on('data', onData).on('end', onEnd).on('error', onBreak).on('close', onBreak);
    try {
      for (;;) {
        const chunk = chunks.shift();
        if (chunk !== undefined) yield chunk;
        else if (source.hasEnded) return;
        else if (source.isBroken) throw bodyBrokeOff();
        else {
          const more = new Promise<void>((resolve) => {
            wake = resolve;
          });
          incoming.resume();
          await more;
        }
      }
    } finally {
      incoming.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak);
      discardIncoming(incoming);
    }
  }
}

/**
 * Returns true if the request was destroyed before its body was read. Node then emits neither data nor an error, even
 * for a complete body.
 */
function isLost(incoming: IncomingMessage): boolean {
  return incoming.destroyed && !incoming.readableEnded;
}
