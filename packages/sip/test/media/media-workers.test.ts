import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { defaultSpeechConfig } from '@va/core/adapter';
import {
  decodeG711,
  encodeG711,
  type Logger,
  loadSileroVad,
  type MediaControl,
  type MediaEvent,
  type MediaSettings,
  MediaWorkers,
  PortPool,
  parseRtp,
  type RemoteLeg,
  type RtpPacket,
  systemClock,
  systemRandom,
  Ticker,
  VadBatcher,
  type VoiceActivityDetector,
  writeRtp,
} from '@va/media';
import { killThreads, watchThreads } from '@va/test-servers/threads';
import { levelVad } from '@va/testkit';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { RtpSession } from '../../src/media/rtp-session.ts';
import { offerAt, wire } from '../support/messages.ts';
import { until } from '../support/until.ts';

watchThreads();

/** Longest wait for the next packet. */
const waitMs = 30_000;

const address = '127.0.0.1';
const silence = 0xff;
const loud = 0x10;
const logged: string[] = [];
const logger: Logger = {
  debug() {},
  info() {},
  warn: (_, message) => void logged.push(message),
  error: (_, message) => void logged.push(message),
  child: () => logger,
};

/** A phone connected to a leg of a worker, with the conversation's side of its media. */
class Call {
  readonly leg: RemoteLeg;
  readonly socket: Socket;
  readonly got: RtpPacket[] = [];
  readonly events: MediaEvent[] = [];
  readonly heard: number[] = [];
  readonly recorded: number[] = [];
  /** Log lines of this call. */
  readonly logged: string[] = [];
  readonly media: MediaControl;
  #sequence = 0;

  private constructor(
    leg: RemoteLeg,
    socket: Socket,
    detector: VoiceActivityDetector,
    changes: Partial<MediaSettings>,
  ) {
    this.leg = leg;
    this.socket = socket;
    const settings: MediaSettings = {
      encoding: 'pcmu',
      vad: { ...defaultSpeechConfig.vad, min_speech_ms: 40, min_silence_ms: 100 },
      recording: { write: (samples) => void this.recorded.push(samples.length), close: async () => {} },
      mediaTimeout: { initialMs: 60_000, generalMs: 60_000 },
      onEvent: (event) => void this.events.push(event),
      onAudio: (codes) => void this.heard.push(codes[0] ?? -1),
      ...changes,
    };
    const judge = new VadBatcher(detector, systemClock);
    const own: Logger = { ...logger, error: (_, message) => void this.logged.push(message) };
    const thread = { clock: systemClock, logger: own, ticker: new Ticker(systemClock), judge };
    this.media = leg.openMedia(settings, thread);
    this.media.start();
  }

  /** @param port port to which the worker sends; by default that of `socket` */
  static async open(
    workers: MediaWorkers,
    detector: VoiceActivityDetector = loadSileroVad(),
    changes: Partial<MediaSettings> = {},
    port?: number,
  ): Promise<Call> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 });
    await new Promise<void>((resolve) => void socket.bind(0, address, resolve));
    const leg = await workers.open(address);
    const session = new RtpSession({ leg, codecs: ['pcmu'], address, random: systemRandom });
    expect(session.answer(wire(offerAt(port ?? socket.address().port))).ok).toBe(true);
    const call = new Call(leg, socket, detector, changes);
    socket.on('message', (bytes) => {
      const packet = parseRtp(bytes);
      if (packet !== null && packet.payloadType === 0) call.got.push(packet);
    });
    calls.push(call);
    // A packet that arrives before the worker has started the media is not heard.
    await executed(call);
    return call;
  }

  /** Sends the next 20 ms of the phone's audio, all bytes of which are `code`. */
  say(code: number): void {
    this.#sequence += 1;
    const timestamp = this.#sequence * 160;
    const payload = new Uint8Array(160).fill(code);
    const packet = { marker: false, payloadType: 0, sequence: this.#sequence, timestamp, ssrc: 1, payload };
    this.socket.send(writeRtp(packet), this.leg.port, address);
  }

  /** Frames of the agent that the phone received, except silence. */
  get spoken(): number[] {
    return this.got.map(({ payload }) => payload[0] ?? silence).filter((code) => code !== silence);
  }

  speak(utterance: number, frames: number, code: number): void {
    this.media.open(utterance);
    this.media.play(utterance, new Uint8Array(frames * 160).fill(code));
    this.media.finish(utterance);
  }

  typesOf(): string[] {
    return this.events.map((event) => (event.type === 'playout' ? event.event.type : event.type));
  }
}

const calls: Call[] = [];
let workers: MediaWorkers;

async function start(count = 1, range?: { min: number; max: number }): Promise<MediaWorkers> {
  const ports = new PortPool(range, systemRandom);
  workers = await MediaWorkers.start(count, ports, { clock: systemClock, logger, opus: false });
  return workers;
}

/** Resolves when the worker has executed all earlier commands to the call, and their events have arrived. */
async function executed(call: Call): Promise<void> {
  await call.leg.statistics();
}

/** Resolves when the phone of a call has received that many more packets. */
async function packets(call: Call, count: number): Promise<void> {
  const { length } = call.got;
  await until(() => call.got.length >= length + count, 'packets arrive');
}

/** Script of a phone in its own thread. Counts all packets, and those whose timestamp is not the previous one + 160. */
const countingPhone = `
  const { parentPort, workerData } = require('node:worker_threads');
  const counts = new Int32Array(workerData);
  let expected = null;
  const socket = require('node:dgram').createSocket('udp4', (bytes) => {
    const timestamp = bytes.readUInt32BE(4);
    if (expected !== null && timestamp !== expected) Atomics.add(counts, 1, 1);
    expected = (timestamp + 160) >>> 0;
    Atomics.add(counts, 0, 1);
    Atomics.notify(counts, 0);
  });
  socket.bind(0, '127.0.0.1', () => parentPort.postMessage(socket.address().port));
`;

afterEach(async () => {
  for (const call of calls.splice(0)) {
    call.leg.close();
    call.socket.close();
  }
  await workers.close();
  logged.length = 0;
});

describe('media workers', () => {
  it('carry audio from caller to conversation and back', async () => {
    const call = await Call.open(await start());
    for (let i = 0; i < 5; i++) call.say(0x20 + i);
    call.speak(1, 5, 0x42);
    await until(() => call.typesOf().includes('finished'), 'the agent has spoken');
    expect(call.heard.slice(0, 5)).toEqual([0x20, 0x21, 0x22, 0x23, 0x24]);
    await until(() => call.spoken.length === 5, 'the phone has heard it');
    expect(call.typesOf().filter((type) => type === 'started' || type === 'finished')).toEqual(['started', 'finished']);
  });

  it('keep their pace while the service is blocked', async () => {
    const counts = new Int32Array(new SharedArrayBuffer(8));
    const phone = new Worker(countingPhone, { eval: true, workerData: counts.buffer });
    onTestFinished(async () => void (await phone.terminate()));
    const [port] = await once(phone, 'message');
    const call = await Call.open(await start(), loadSileroVad(), {}, port);
    call.speak(1, 200, 0x42);
    await until(() => Atomics.load(counts, 0) > 2, 'the agent speaks');
    const wanted = Atomics.load(counts, 0) + 30;
    // Blocks the main thread until the phone has received 30 more packets.
    for (let count = Atomics.load(counts, 0); count < wanted; count = Atomics.load(counts, 0)) {
      expect(Atomics.wait(counts, 0, count, waitMs)).not.toBe('timed-out');
    }
    expect(Atomics.load(counts, 1)).toBe(0);
  });

  it('stop playout at once when the agent is interrupted, and report its position to the millisecond', async () => {
    const call = await Call.open(await start());
    call.speak(1, 500, 0x42);
    await until(() => call.spoken.length > 10, 'the agent speaks');
    call.media.clear();
    const [cleared] = call.events.filter((event) => event.type === 'playout-cleared');
    call.speak(2, 3, 0x43);
    await until(() => call.typesOf().includes('finished'), 'the next utterance has ended');
    await until(() => call.spoken.filter((code) => code === 0x43).length === 3, 'the next utterance is heard');
    const cut = cleared?.type === 'playout-cleared' ? cleared.cut : [];
    expect(cut).toEqual([{ utterance: 1, playedMs: call.spoken.filter((code) => code === 0x42).length * 20 }]);
  });

  it('lower the voice, and raise it again', async () => {
    const call = await Call.open(await start());
    call.speak(1, 100, 0x12);
    await until(() => call.spoken.length > 3, 'the agent speaks');
    call.media.setLevel(-12);
    const [full = 0] = decodeG711('pcmu', Uint8Array.of(0x12));
    const [lowered = 0] = encodeG711('pcmu', Int16Array.of(full * 10 ** (-12 / 20)));
    await until(() => call.spoken.includes(lowered), 'the voice is lowered');
    const loweredAt = call.spoken.length;
    call.media.setLevel(0);
    await until(() => call.spoken.lastIndexOf(0x12) > loweredAt, 'the voice is back');
    await until(() => call.typesOf().includes('finished'), 'all is said');
    expect(call.spoken).toHaveLength(100);
  });

  it('pause and resume with the very next sample', async () => {
    const call = await Call.open(await start());
    call.speak(1, 20, 0x42);
    await until(() => call.spoken.length > 3, 'the agent speaks');
    call.media.pause();
    await until(() => call.got.at(-1)?.payload[0] === silence, 'the agent is silent');
    const before = call.spoken.length;
    await packets(call, 5);
    expect(call.spoken.length).toBe(before);
    expect(call.typesOf()).not.toContain('finished');
    call.media.resume();
    await until(() => call.typesOf().includes('finished'), 'the rest is said');
    await until(() => call.spoken.length === 20, 'all of it was heard');
  });

  it.each([
    [
      'a detector of its own module',
      { ...levelVad(), module: new URL('../../../media/test/worker/level-detector.mjs', import.meta.url).href },
    ],
    ['a detector that only the service has', levelVad()],
  ])('detect the start and end of speech by %s', async (_, detector) => {
    const call = await Call.open(await start(), detector);
    for (let i = 0; i < 20; i++) {
      call.say(i < 10 ? loud : silence);
      await until(() => call.heard.length > i, 'the frame is heard');
    }
    await until(() => call.typesOf().includes('speech-ended'), 'the speech has ended');
    expect(call.typesOf().filter((type) => type.startsWith('speech-'))).toEqual([
      'speech-suspected',
      'speech-started',
      'speech-paused',
      'speech-ended',
    ]);
  });

  it('end a call whose detector cannot be loaded, and no other', async () => {
    const other = await Call.open(await start());
    const call = await Call.open(workers, { ...levelVad(), module: 'file:///nowhere.mjs' });
    await until(() => call.typesOf().includes('media-failed'), 'the call has failed');
    other.say(0x21);
    await until(() => other.heard.length > 0, 'the other is heard');
    expect(logged).toContain('failed to load a voice activity detector');
  });

  it('log to the logger of their call', async () => {
    const other = await Call.open(await start());
    const ambient = JSON.parse('{"sound": "unknown", "volume": 0.5}');
    const call = await Call.open(workers, loadSileroVad(), { ambient });
    await until(() => call.logged.length > 0, 'the failure is logged');
    expect(call.logged[0]).toMatch(/^(media command|the media of a call) failed$/);
    expect([...other.logged, ...logged]).toEqual([]);
  });

  it('record completely, to the last frame before they stop', async () => {
    const call = await Call.open(await start());
    await packets(call, 16);
    await call.media.stop();
    const sentFrames = (await call.leg.statistics())?.sent.packets;
    const recordedFrames = call.recorded.reduce((sum, samples) => sum + samples / (2 * 160), 0);
    expect(recordedFrames).toBe(sentFrames);
    const { length } = call.recorded;
    await packets(await Call.open(workers), 4);
    expect(call.recorded).toHaveLength(length);
  });

  it('carry DTMF in both directions', async () => {
    const call = await Call.open(await start());
    call.leg.receiveDigit({ digit: '7', durationMs: 100 });
    await until(
      () => call.events.some((event) => event.type === 'dtmf' && event.digit.digit === '7'),
      'the digit is reported',
    );
    const events: number[] = [];
    call.socket.on('message', (bytes) => {
      const packet = parseRtp(bytes);
      if (packet !== null && packet.payloadType !== 0) events.push(packet.payload[0] ?? -1);
    });
    call.leg.sendDtmf('5', 100);
    await until(() => events.includes(5), 'the key is pressed');
  });

  it('bridge two calls without passing their frames to the main thread', async () => {
    const first = await Call.open(await start());
    const second = await Call.open(workers);
    await Promise.all([first.media.stop(), second.media.stop()]);
    expect(first.leg.forwardTo(second.leg) && second.leg.forwardTo(first.leg)).toBe(true);
    await Promise.all([executed(first), executed(second)]);
    for (let i = 0; i < 10; i++) first.say(0x31);
    await until(() => second.spoken.length === 10, 'the other hears it');
    second.say(0x32);
    await until(() => first.spoken.length === 1, 'and is heard');
    expect([first.heard, second.heard]).toEqual([[], []]);
  });

  it('count the packets of a leg, and report the counts also after it was closed', async () => {
    const call = await Call.open(await start());
    for (let i = 0; i < 4; i++) call.say(0x21);
    await until(() => call.heard.length >= 4 && call.got.length > 0, 'both are heard');
    expect((await call.leg.statistics())?.received.packets).toBe(4);
    call.leg.close();
    expect((await call.leg.statistics())?.received.packets).toBe(4);
    expect((await call.leg.statistics())?.sent.packets).toBeGreaterThan(0);
  });

  it('release their ports', async () => {
    await start(2, { min: 42_100, max: 42_103 });
    const [first, second] = [await Call.open(workers), await Call.open(workers)];
    await expect(Call.open(workers)).rejects.toMatchObject({ code: 'rtp_port_unavailable' });
    const { port } = first.leg;
    first.leg.close();
    await first.leg.statistics();
    expect((await Call.open(workers)).leg.port).toBe(port);
    expect(second.leg.port).not.toBe(port);
  });

  it('end the calls of a thread that dies, and start another thread for later calls', async () => {
    const call = await Call.open(await start());
    const known = await call.leg.statistics();
    const unused = await workers.open(address);
    await killThreads();
    await until(() => call.typesOf().includes('media-failed'), 'the call has failed');
    expect([await call.leg.statistics(), await unused.statistics()]).toEqual([known, null]);
    await call.media.stop();
    const next = await Call.open(workers);
    next.say(0x21);
    await until(() => next.heard.length > 0, 'the next call is heard');
    expect(logged).toContain('a media worker died with its calls');
  });

  it('spread calls over the threads', async () => {
    await start(2);
    const [first, second] = [await Call.open(workers), await Call.open(workers)];
    expect(first.leg.forwardTo(second.leg)).toBe(false);
  });
});

describe('supervision in a worker', () => {
  it("passes both sides on, reports their levels, and sends a supervisor's audio for the agent's", async () => {
    await start();
    const call = await Call.open(workers);
    const pairs: (readonly [number, number])[] = [];
    call.media.monitor({ write: (caller, agent) => void pairs.push([caller[0] ?? -1, agent[0] ?? -1]) });
    call.media.setMetered(true);
    call.speak(1, 200, 0x21);
    const talking = setInterval(() => call.say(loud), 20);
    await until(() => pairs.some(([caller, agent]) => caller === loud && agent === 0x21), 'both sides are passed on');
    await until(
      () => call.events.some((event) => event.type === 'levels' && event.callerDb > -10),
      'levels are reported',
    );
    call.media.setTakenOver(true);
    const person = setInterval(() => call.media.speak(new Uint8Array(160).fill(0x31)), 20);
    await until(() => call.spoken.at(-1) === 0x31, 'the person is heard');
    clearInterval(person);
    clearInterval(talking);
    call.media.setTakenOver(false);
    await until(() => call.spoken.at(-1) === 0x21, 'the agent goes on');
    call.media.monitor(null);
    await executed(call);
    const passed = pairs.length;
    await packets(call, 10);
    await executed(call);
    expect(pairs).toHaveLength(passed);
    call.media.monitor({ write: () => void pairs.push([0, 0]) });
    await until(() => pairs.length > passed, 'the next listener receives frames');
  });
});
