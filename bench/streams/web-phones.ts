import { WebSocket } from 'ws';
import type { Phone } from '../support/phones/phone.ts';
import { type Line, PhoneBank } from '../support/phones/phone-bank.ts';
import { tokenPath } from './settings.ts';

const headerBytes = 4;
/** Number of frames between two reports of a page about what it has played: 200 ms. */
const framesPerReport = 10;

/** Pages that call, with the protocol of docs/web-calls.md. */
export class WebPhones extends PhoneBank {
  readonly #tokenUrl: string;
  readonly #sockets: WebSocket[] = [];

  constructor(mountUrl: string) {
    super('utterance');
    this.#tokenUrl = new URL(tokenPath, mountUrl).href;
  }

  async close(): Promise<void> {
    const closed = this.#sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of this.#sockets) socket.close(1000);
    await Promise.all(closed);
  }

  protected async connect(_: number, phone: Phone): Promise<Line> {
    const answer = await fetch(this.#tokenUrl, { method: 'POST' });
    const { url, token } = (await answer.json()) as { readonly url: string; readonly token: string };
    const socket = new WebSocket(url, { perMessageDeflate: false });
    this.#sockets.push(socket);
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', version: 1, token })));
    await new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer, isBinary: boolean) => {
        if (isBinary) {
          this.hear(phone, data, headerBytes);
          const sequence = data.readUInt32BE(0);
          if (sequence % framesPerReport === 0) socket.send(`{"type":"played","sequence":${sequence}}`);
          return;
        }
        const message = JSON.parse(String(data)) as { readonly type: string };
        if (message.type === 'answered') resolve();
        if (message.type === 'error' || message.type === 'ended') throw new Error(`A call ended: ${String(data)}`);
      });
    });
    let sequence = 0;
    return {
      phone,
      send(frame) {
        const message = Buffer.allocUnsafe(headerBytes + frame.length);
        message.writeUInt32BE(sequence, 0);
        message.set(frame, headerBytes);
        sequence += 1;
        if (socket.readyState === socket.OPEN) socket.send(message);
      },
    };
  }
}
