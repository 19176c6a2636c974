import type { Socket } from 'node:net';
import type { Endpoint } from '@va/media';
import type { MediaPath } from './media-path.ts';

/** Maximum packet size of checks, DTLS and audio. */
const maxPacketBytes = 2_048;
/** Maximum buffered bytes: about 3 s of audio. Further packets are dropped, as a network would. */
const maxQueuedBytes = 32_768;
const lengthBytes = 2;

export interface TcpListener {
  onPacket(packet: Buffer, connection: TcpConnection): void;
  onClose(connection: TcpConnection): void;
}

/** A TCP connection with length-prefixed packets. @see RFC 4571 §2, RFC 6544 §3 */
export class TcpConnection implements MediaPath {
  readonly key: string;
  readonly remote: Endpoint;
  readonly #socket: Socket;
  readonly #listener: TcpListener;
  #received: Buffer = Buffer.alloc(0);

  /** @param id distinguishes it from earlier connections with the same address and port */
  constructor(socket: Socket, id: number, listener: TcpListener) {
    this.remote = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
    this.key = `tcp ${id}`;
    this.#socket = socket;
    this.#listener = listener;
    socket.setNoDelay(true);
    socket.on('data', (data: Buffer) => this.#take(data));
    // An error is followed by `close`.
    socket.on('error', () => {});
    socket.on('close', () => listener.onClose(this));
  }

  get isOpen(): boolean {
    return this.#socket.writable;
  }

  send(bytes: Uint8Array): void {
    if (!this.isOpen || this.#socket.writableLength > maxQueuedBytes) return;
    const packet = Buffer.allocUnsafe(lengthBytes + bytes.length);
    packet.writeUInt16BE(bytes.length, 0);
    packet.set(bytes, lengthBytes);
    this.#socket.write(packet);
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(data: Buffer): void {
    let rest = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
    while (rest.length >= lengthBytes && !this.#socket.destroyed) {
      const end = lengthBytes + rest.readUInt16BE(0);
      if (end > lengthBytes + maxPacketBytes) {
        this.close();
        return;
      }
      if (rest.length < end) break;
      const packet = rest.subarray(lengthBytes, end);
      rest = rest.subarray(end);
      this.#listener.onPacket(packet, this);
    }
    // A copy, so that a short rest does not retain the memory of the whole buffer.
    this.#received = Buffer.from(rest);
  }
}
