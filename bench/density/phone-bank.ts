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
/** Step between inspected samples: enough to tell speech from silence. */
const probeStep = 8;
const loudness = Int16Array.from(
  decodeG711(
    'pcmu',
    Uint8Array.from({ length: 256 }, (_, code) => code),
  ),
  Math.abs,
);

/** A phone with the minimum that a caller needs. All its packets use the same buffer. */
export class Phone {
  readonly packet = Buffer.alloc(headerBytes + frameBytes, 0xff);
  readonly answered: Promise<void>;
  lastLoudAtMs = 0;
  /** The agent's media port. */
  remotePort = 0;
  /** Frames received since `measured` was set, and the late ones among them. */
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

  /** Sends these frames (G.711 μ-law) in place of silence; resolves with the last one. */
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

  /** Resolves when the agent has been silent for this time. */
  silence(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#quiet = { ms, resolve };
    });
  }

  /** Returns the packet that is due. */
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

  /** Compares each frame with the earliest of its stream. Delays of this process count too. */
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
 * Many cheap phones, for which one CPU is enough: real SIP and RTP over sockets that phones share, spread evenly over
 * the 20 ms of a frame.
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

  /** Calls a SIP URI; resolves when it is answered. */
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

  /** Hangs up all phones. */
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

  /** Sends the frames of the phones in 20 slots of one millisecond each. Missed slots are caught up on. */
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
