import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { systemRandom } from '@va/core/adapter';
import { parseNameAddr, targetOf, UserAgent } from '@va/sip';
import { silentLogger } from '@va/testkit';
import { hrClock } from '../hr-clock.ts';
import { frameBytes, type LatenessFrom, type Phone } from './phone.ts';
import { type Line, PhoneBank } from './phone-bank.ts';

const headerBytes = 12;
const phonesPerSocket = 25;

/** Phones with real SIP and RTP, over sockets that they share. */
export class SipPhones extends PhoneBank {
  readonly #agent: UserAgent;
  readonly #uri: string;
  readonly #sockets: Socket[] = [];
  readonly #byPort = new Map<number, Phone>();

  private constructor(agent: UserAgent, uri: string, latenessFrom: LatenessFrom) {
    super(latenessFrom);
    this.#agent = agent;
    this.#uri = uri;
  }

  /** @param uri the agent's address */
  static async open(uri: string, latenessFrom: LatenessFrom): Promise<SipPhones> {
    const listen = ['udp://127.0.0.1:0'];
    const agent = await UserAgent.open({ clock: hrClock, random: systemRandom, logger: silentLogger, listen });
    return new SipPhones(agent, uri, latenessFrom);
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  protected async connect(index: number, phone: Phone): Promise<Line> {
    const socket = await this.#socketFor(index);
    const uri = this.#uri;
    const to = parseNameAddr(`<${uri}>`);
    const from = parseNameAddr(`<sip:+316${String(index).padStart(8, '0')}@127.0.0.1>`);
    const target = targetOf(uri);
    const flow = target === null ? null : this.#agent.flowTo({ ...target, transport: 'udp' });
    if (to === null || from === null || flow === null) throw new Error(`${uri} cannot be dialed.`);
    const remotePort = await new Promise<number>((resolve) => {
      const media = {
        offer: () => offerOf(socket.address().port),
        answer: () => ({ ok: false, warning: '399 - "These phones change nothing"' }) as const,
        accept: (answer: Uint8Array) => {
          const port = Number(/^m=audio (\d+)/m.exec(new TextDecoder().decode(answer))?.[1]);
          this.#byPort.set(port, phone);
          resolve(port);
          return true;
        },
        hold() {},
        receiveDigit() {},
        close() {},
      };
      const onEnd = (end: { readonly cause: string }): void => {
        if (end.cause !== 'local-hangup') throw new Error(`A call ended: ${JSON.stringify(end)}`);
      };
      this.#agent.invite({ uri, from, to, flow, media }, { onProgress() {}, onAnswered() {}, onEnd });
    });
    const packet = packetOf(index + 1);
    let sequence = 0;
    return {
      phone,
      send(frame) {
        packet.writeUInt16BE(sequence & 0xffff, 2);
        packet.writeUInt32BE((sequence * frameBytes) >>> 0, 4);
        sequence += 1;
        packet.set(frame, headerBytes);
        socket.send(packet, remotePort, '127.0.0.1');
      },
    };
  }

  async #socketFor(index: number): Promise<Socket> {
    const known = this.#sockets[Math.floor(index / phonesPerSocket)];
    if (known !== undefined) return known;
    const lookup = (address: string, _: unknown, done: (error: null, address: string, family: number) => void): void =>
      done(null, address, 4);
    const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20, lookup });
    socket.on('message', (packet: Buffer, { port }: RemoteInfo) => {
      const phone = this.#byPort.get(port);
      if (phone !== undefined) this.hear(phone, packet, headerBytes);
    });
    socket.on('error', () => {});
    await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve));
    this.#sockets.push(socket);
    return socket;
  }
}

/** Returns the RTP packet of a phone, which is reused for all its frames. */
function packetOf(ssrc: number): Buffer {
  const packet = Buffer.alloc(headerBytes + frameBytes, 0xff);
  packet.writeUInt8(0x80, 0);
  packet.writeUInt8(0, 1);
  packet.writeUInt32BE(ssrc, 8);
  return packet;
}

function offerOf(port: number): Uint8Array {
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${port} RTP/AVP 0 101`,
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:101 telephone-event/8000',
    'a=ptime:20',
  ];
  return new TextEncoder().encode(`${lines.join('\r\n')}\r\n`);
}
