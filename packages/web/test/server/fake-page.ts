import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { LegEnd } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import type { WebSocket } from 'ws';
import type { DownMessage, UpMessage } from '../../src/protocol/messages.ts';
import { PageCall, type PageCallOptions } from '../../src/server/page-call.ts';
import { PageConnection } from '../../src/server/page-connection.ts';

/** The side of a page's WebSocket, and of the stream below it, that the service sees. */
class FakePageSocket extends EventEmitter {
  readonly OPEN = 1;
  /** Messages of the service, without audio. */
  readonly messages: DownMessage[] = [];
  /** Sequence numbers of the frames. */
  readonly sequences: number[] = [];
  readyState = 1;
  bufferedAmount = 0;
  closeCode: number | null = null;

  /** Types of the messages. */
  get types(): string[] {
    return this.messages.map(({ type }) => type);
  }

  write(message: Buffer): void {
    const content = message.subarray((message[1] ?? 0) < 126 ? 2 : 4);
    if (message[0] === 0x81) this.messages.push(JSON.parse(content.toString()));
    else this.sequences.push(content.readUInt32BE(0));
  }

  close(code: number): void {
    this.readyState = 3;
    this.closeCode ??= code;
    this.emit('close', code);
  }

  terminate(): void {
    this.close(1006);
  }

  /** Receives a message of the page. */
  receive(message: UpMessage | Readonly<Record<string, unknown>>): void {
    this.emit('message', Buffer.from(JSON.stringify(message)), false);
  }

  /** Receives a frame of the page. */
  say(sequence: number, frame: Uint8Array): void {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(sequence, 0);
    this.emit('message', Buffer.concat([header, frame]), true);
  }
}

export interface FakePage {
  readonly socket: FakePageSocket;
  readonly connection: PageConnection;
}

/** Opens the connection of a page. */
export function fakePage(clock: VirtualClock): FakePage {
  const socket = new FakePageSocket();
  return { socket, connection: new PageConnection(socket as unknown as WebSocket, socket as unknown as Duplex, clock) };
}

/** Begins the call of a page. */
export function pageCall(changes: Partial<PageCallOptions> = {}) {
  const clock = new VirtualClock();
  const page = fakePage(clock);
  const ends: LegEnd[] = [];
  let released = 0;
  const call = new PageCall({
    grant: { callId: '00000000-0000-7000-8000-000000000001', origin: null },
    clock,
    connection: page.connection,
    encoding: 'pcmu',
    resumeSecret: 'secret',
    resumeUrl: null,
    release: () => {
      released += 1;
    },
    ...changes,
  });
  call.onEnd((end) => ends.push(end));
  return { ...page, clock, call, ends, released: () => released };
}
