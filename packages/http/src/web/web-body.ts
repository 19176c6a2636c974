import { bodyBrokeOff, bodyTooLarge, type RequestBody } from '../message/request-body.ts';
import { discard } from './discard-body.ts';

/** The body of a Fetch request. */
export class WebBody implements RequestBody {
  readonly parsed = null;
  readonly isEncoded = true;
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  async bytes(maxBytes: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let byteLength = 0;
    for await (const chunk of this.chunks()) {
      byteLength += chunk.byteLength;
      if (byteLength > maxBytes) throw bodyTooLarge(maxBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    const reader = this.#request.body?.getReader();
    if (reader === undefined) return;
    try {
      for (;;) {
        const { done, value } = await reader.read().catch(() => {
          throw bodyBrokeOff();
        });
        if (done) return;
        yield value;
      }
    } finally {
      void discard(reader);
    }
  }
}
