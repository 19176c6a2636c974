import { vi } from 'vitest';
import type { WebSocket } from 'ws';
import type { DownMessage, UpMessage } from '../../src/protocol/messages.ts';

export type Hello = Extract<UpMessage, { type: 'hello' | 'resume' }> | Readonly<Record<string, unknown>>;

/** A page without a browser: sends what a test has it send, and plays each frame at once. */
export class PageUnderTest {
  readonly messages: DownMessage[] = [];
  /** Sequence numbers of the frames received. */
  readonly sequences: number[] = [];
  /** Lengths of the frames received. */
  readonly lengths = new Set<number>();
  /** Number of received frames that were not silent. */
  loud = 0;
  closeCode: number | null = null;
  reportsPlayed = true;
  #sent = 0;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#play(data);
      else this.messages.push(JSON.parse(String(data)));
    });
    socket.on('close', (code) => {
      this.closeCode = code;
    });
    socket.on('error', () => {});
  }

  /** The sequence number after the last frame. */
  get received(): number {
    return (this.sequences.at(-1) ?? -1) + 1;
  }

  send(message: Hello | UpMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  sendRaw(data: string | Uint8Array): void {
    this.#socket.send(data);
  }

  /** Sends one frame of the microphone. */
  say(frame: Uint8Array): void {
    const message = Buffer.alloc(4 + frame.length);
    message.writeUInt32BE(this.#sent, 0);
    message.set(frame, 4);
    this.#sent += 1;
    this.#socket.send(message);
  }

  /** Speaks for a time, in real time, between silence. */
  async speak(forMs: number, code = 0x0f): Promise<void> {
    const frame = new Uint8Array(160).fill(code);
    const startedAtMs = performance.now();
    for (let sent = 0; sent * 20 < forMs; ) {
      const due = Math.min(forMs / 20, Math.floor((performance.now() - startedAtMs) / 20) + 1);
      for (; sent < due; sent++) this.say(frame);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Resolves to the first message of a type that matches. */
  async message<Type extends DownMessage['type']>(
    type: Type,
    matching: object = {},
  ): Promise<Extract<DownMessage, { type: Type }>> {
    return await vi.waitFor(() => {
      const found = this.messages.find(
        (each): each is Extract<DownMessage, { type: Type }> =>
          each.type === type &&
          Object.entries(matching).every(([name, value]) => (each as Record<string, unknown>)[name] === value),
      );
      if (found === undefined) throw new Error(`no ${type} in ${JSON.stringify(this.messages)}`);
      return found;
    }, 10_000);
  }

  /** Closes the connection as a browser does when its page is left. */
  leave(): void {
    this.#socket.close(1001);
  }

  /** Loses the connection. */
  lose(): void {
    this.#socket.terminate();
  }

  #play(data: Buffer): void {
    const sequence = data.readUInt32BE(0);
    this.sequences.push(sequence);
    this.lengths.add(data.length - 4);
    if (data.subarray(4).some((code) => code !== 0xff)) this.loud += 1;
    if (this.reportsPlayed && sequence % 10 === 9) this.send({ type: 'played', sequence: sequence + 1 });
  }
}
