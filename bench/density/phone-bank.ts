import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { systemRandom } from '@va/core/adapter';
import { decodeG711 } from '@va/media';
import { parseNameAddr, targetOf, UserAgent } from '@va/sip';
import { silentLogger } from '@va/testkit';
import { hrClock } from '../support/hr-clock.ts';
import { lateMs } from './settings.ts';

const headerBytes = 12;
const frameBytes = 160;
const frameMs = 20;
const slotMs = 1;
const phonesPerSocket = 25;
/** Every so many samples are enough to tell speech from silence. */
const probeStep = 8;
const loudness = Int16Array.from(
  decodeG711(
    'pcmu',
    Uint8Array.from({ length: 256 }, (_, code) => code),
  ),
  Math.abs,
);

/**
 * One phone of the bank: what a caller needs to talk with an agent, and no more. Each of its packets is the same
 * buffer.
 */
export class Phone {
  readonly packet = Buffer.alloc(headerBytes + frameBytes, 0xff);
  readonly answered: Promise<void>;
  lastLoudAtMs = 0;
  /** Where the agent's media is. */
  remotePort = 0;
  /** Frames since `measured` was set, and those that came late. */
  frames = 0;
  lateFrames = 0;
  #received = 0;
  #earliestMs = Number.POSITIVE_INFINITY;
  #sequence = 0;
  #speech: readonly Uint8Array[] = [];
  #spoken = 0;
  #onSpoken: (() => void) | null = null;
  #onSpeech: (() => void) | null = null;
  #quiet: { readonly ms: number; readonly resolve: () => void } | null = null;
  #onAnswered: () => void = () => {};

  constructor(ssrc: number) {
    this.packet.writeUInt8(0x80, 0);
    this.packet.writeUInt8(0, 1);
    this.packet.writeUInt32BE(ssrc, 8);
    this.answered = new Promise((resolve) => {
      this.#onAnswered = resolve;
    });
  }

  answer(remotePort: number): void {
    this.remotePort = remotePort;
    this.#onAnswered();
  }

  /** Speaks these frames (G.711 μ-law) in the place of silence; resolves with the last. */
  say(speech: readonly Uint8Array[]): Promise<void> {
    this.#speech = speech;
    this.#spoken = 0;
    return new Promise((resolve) => {
      this.#onSpoken = resolve;
    });
  }

  nextSpeech(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSpeech = resolve;
    });
  }

  /** Resolves when the agent has been silent for so long. */
  silence(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#quiet = { ms, resolve };
    });
  }

  /** Makes the packet that is due now. */
  next(nowMs: number): Buffer {
    const { packet } = this;
    packet.writeUInt16BE(this.#sequence & 0xffff, 2);
    packet.writeUInt32BE((this.#sequence * frameBytes) >>> 0, 4);
    this.#sequence += 1;
    const frame = this.#speech[this.#spoken];
    if (frame === undefined) packet.fill(0xff, headerBytes);
    else {
      packet.set(frame, headerBytes);
      this.#spoken += 1;
      if (this.#spoken === this.#speech.length) {
        this.#speech = [];
        this.#onSpoken?.();
      }
    }
    if (this.#quiet !== null && nowMs - this.lastLoudAtMs >= this.#quiet.ms) {
      this.#quiet.resolve();
      this.#quiet = null;
    }
    return packet;
  }

  /** Holds each frame against the earliest that the stream has been: what this process is late itself counts too. */
  hear(packet: Uint8Array, atMs: number, isMeasured: boolean): void {
    const sinceMs = atMs - this.#received * frameMs;
    this.#received += 1;
    this.#earliestMs = Math.min(this.#earliestMs, sinceMs);
    if (isMeasured) {
      this.frames += 1;
      if (sinceMs - this.#earliestMs > lateMs) this.lateFrames += 1;
    }
    if (!isLoud(packet)) return;
    this.lastLoudAtMs = atMs;
    this.#onSpeech?.();
    this.#onSpeech = null;
  }
}

function isLoud(packet: Uint8Array): boolean {
  for (let i = headerBytes; i < packet.length; i += probeStep) {
    if ((loudness[packet[i] as number] as number) > 500) return true;
  }
  return false;
}

/**
 * Many phones that cost little, so that a processor of its own is enough for them: real SIP, and real RTP that leaves
 * evenly spread over the 20 ms, by sockets that phones share.
 */
export class PhoneBank {
  readonly #agent: UserAgent;
  readonly #sockets: Socket[] = [];
  readonly #phones: { readonly phone: Phone; readonly socket: Socket }[] = [];
  readonly #byPort = new Map<number, Phone>();
  #slot = 0;
  readonly #startedAtMs = hrClock.nowMs();
  isMeasured = false;

  private constructor(agent: UserAgent) {
    this.#agent = agent;
    this.#pace();
  }

  static async open(): Promise<PhoneBank> {
    const listen = ['udp://127.0.0.1:0'];
    return new PhoneBank(await UserAgent.open({ clock: hrClock, random: systemRandom, logger: silentLogger, listen }));
  }

  get phones(): readonly Phone[] {
    return this.#phones.map(({ phone }) => phone);
  }

  /** Calls a SIP address; resolves when it has answered. */
  async dial(uri: string, caller: string): Promise<Phone> {
    const socket = await this.#socketFor(this.#phones.length);
    const phone = new Phone(this.#phones.length + 1);
    const to = parseNameAddr(`<${uri}>`);
    const from = parseNameAddr(`<sip:${caller}@127.0.0.1>`);
    const target = targetOf(uri);
    const flow = target === null ? null : this.#agent.flowTo({ ...target, transport: 'udp' });
    if (to === null || from === null || flow === null) throw new Error(`${uri} cannot be dialed.`);
    const media = {
      offer: () => offerOf(socket.address().port),
      answer: () => ({ ok: false, warning: '399 - "These phones change nothing"' }) as const,
      accept: (answer: Uint8Array) => {
        const port = Number(/^m=audio (\d+)/m.exec(new TextDecoder().decode(answer))?.[1]);
        this.#byPort.set(port, phone);
        phone.answer(port);
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
    await phone.answered;
    this.#phones.push({ phone, socket });
    return phone;
  }

  /** Hangs all phones up. */
  async close(): Promise<void> {
    await this.#agent.close();
  }

  async #socketFor(index: number): Promise<Socket> {
    const known = this.#sockets[Math.floor(index / phonesPerSocket)];
    if (known !== undefined) return known;
    const lookup = (address: string, _: unknown, done: (error: null, address: string, family: number) => void): void =>
      done(null, address, 4);
    const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20, lookup });
    socket.on('message', (packet: Buffer, { port }: RemoteInfo) => {
      this.#byPort.get(port)?.hear(packet, hrClock.nowMs(), this.isMeasured);
    });
    socket.on('error', () => {});
    await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve));
    this.#sockets.push(socket);
    return socket;
  }

  /** A phone's turn comes once in 20 slots of a millisecond; slots that were missed are made up for. */
  #pace(): void {
    const nowMs = hrClock.nowMs();
    const due = Math.floor((nowMs - this.#startedAtMs) / slotMs);
    for (; this.#slot < due; this.#slot += 1) {
      for (let at = this.#slot % frameMs; at < this.#phones.length; at += frameMs) this.#send(at, nowMs);
    }
    setTimeout(() => this.#pace(), slotMs);
  }

  #send(at: number, nowMs: number): void {
    const entry = this.#phones[at];
    if (entry === undefined) return;
    const { phone, socket } = entry;
    socket.send(phone.next(nowMs), phone.remotePort, '127.0.0.1');
  }
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
