import { createSocket, type Socket } from 'node:dgram';
import { type Clock, systemClock, systemRandom } from '@va/core/adapter';
import { decodeG711, encodeG711, parseRtp, RtpLeg, type RtpPacket, writeRtp, writeTelephoneEvent } from '@va/media';
import { purity, tone } from '@va/test-servers/audio';
import { VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RtpSession } from '../../src/media/rtp-session.ts';
import { offerAt, wire } from '../support/messages.ts';
import { bodyOf } from '../support/raw-peer.ts';
import { until } from '../support/until.ts';

let leg: RtpLeg;
let session: RtpSession;
let phone: Socket;
let got: RtpPacket[];
let frames: (number | null)[];
let heard: number[];
let digits: string[];
/** Number of packets that the leg has processed. */
let read: number;

async function socketAt(address = '127.0.0.1'): Promise<Socket> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => {
    socket.bind(0, address, resolve);
  });
  return socket;
}

async function openLeg(clock: Clock = systemClock): Promise<void> {
  const onRead = (): void => {
    read += 1;
  };
  leg = await RtpLeg.open({ clock, random: systemRandom, address: '127.0.0.1', onRead });
  session = new RtpSession({ leg, codecs: ['pcmu', 'pcma'], address: '127.0.0.1', random: systemRandom });
  expect(session.answer(wire(offerAt(phone.address().port))).ok).toBe(true);
  leg.onFrame((frame) => {
    frames.push(frame === null ? null : (frame[0] ?? -1));
    heard.push(...(frame ?? new Uint8Array(160)));
  });
  leg.onDtmf(({ digit }) => digits.push(digit));
}

beforeEach(async () => {
  [got, frames, heard, digits, read] = [[], [], [], [], 0];
  phone = await socketAt();
  phone.on('message', (bytes) => {
    const packet = parseRtp(bytes);
    if (packet !== null) got.push(packet);
  });
  await openLeg();
});
afterEach(() => {
  leg.close();
  phone.close();
});

function send(sequence: number, parts: Partial<RtpPacket> = {}, from = phone): void {
  const payload = new Uint8Array(160).fill(sequence & 0xff);
  const packet = { marker: false, payloadType: 8, sequence, timestamp: sequence * 160, ssrc: 1, payload, ...parts };
  from.send(writeRtp(packet), leg.port, '127.0.0.1');
}

describe('RtpLeg', () => {
  it('passes frames on in order, and conceals a lost one', async () => {
    const payload = encodeG711('pcma', tone(20, 500));
    for (const sequence of [1, 2, 4, 3, 6, 7, 8]) send(sequence, { payload });
    await until(() => heard.length === 8 * 160, 'all frames are there');
    expect(purity(decodeG711('pcma', Uint8Array.from(heard)), 500)).toBeGreaterThan(0.98);
    expect(frames).not.toContain(null);
  });

  it('leaves gaps when more is lost than can be concealed', async () => {
    for (const sequence of [1, 2, 9, 10, 11]) send(sequence);
    await until(() => frames.length === 11, 'all frames are there');
    expect(frames.map((frame) => frame === null)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((sequence) => sequence > 5 && sequence < 9),
    );
    expect(leg.snapshot().received).toMatchObject({ packets: 5, packetsLost: 6 });
  });

  it('does not switch to another source', async () => {
    send(1);
    await until(() => frames.length === 1, 'the phone is heard');
    const intruder = await socketAt();
    for (const sequence of [2, 3, 4, 5]) send(sequence, { ssrc: 9 }, intruder);
    await until(() => read === 5, 'the packets are read');
    send(2);
    await until(() => frames.length === 2, 'the phone is heard again');
    intruder.close();
    expect(frames).toEqual([1, 2]);
  });

  it('reports DTMF digits once, without dropping audio frames between', async () => {
    send(1);
    const event = (sequence: number, duration: number, end: boolean) =>
      send(sequence, {
        payloadType: 96,
        timestamp: 320,
        payload: writeTelephoneEvent({ digit: '8', duration, end }) ?? new Uint8Array(0),
      });
    event(2, 160, false);
    event(3, 320, false);
    for (const sequence of [4, 5, 6]) event(sequence, 480, true);
    send(7);
    await until(() => frames.length === 2, 'the frames are there');
    expect(frames).toEqual([1, 7]);
    expect(digits).toEqual(['8']);
  });

  it("accepts DTMF by the local payload type too, when the peer's answer numbers it differently", async () => {
    session.offer();
    expect(session.accept(wire(offerAt(phone.address().port)))).toBe(true);
    const payload = writeTelephoneEvent({ digit: '9', duration: 160, end: true }) ?? new Uint8Array(0);
    send(1, { payloadType: 101, timestamp: 5, payload });
    await until(() => digits.length > 0, 'the digit is there');
    leg.sendEvent({ digit: '3', durationMs: 20, first: true, end: false });
    await until(() => got.length > 0, 'our digit arrives');
    expect([digits, got[0]?.payloadType]).toEqual([['9'], 96]);
  });

  it('sends DTMF in place of the audio of that time', async () => {
    const speech = new Uint8Array(160).fill(7);
    leg.send(speech);
    leg.sendDtmf('4w2', 60);
    const frameCount = 1 + 2 * 8 + 25 + 1;
    for (let frame = 1; frame < frameCount; frame++) leg.send(speech);
    await until(() => got.length === frameCount, 'all packets arrive');
    got.sort((a, b) => ((a.sequence - b.sequence) << 16) >> 16);
    const [first, ...others] = got;
    const start = first?.timestamp ?? 0;
    const events = others.filter(({ payloadType }) => payloadType === 96);
    const audio = got.filter(({ payloadType }) => payloadType === 8);
    expect(events.map(({ marker }) => marker)).toEqual([
      true,
      false,
      false,
      false,
      false,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(events.map(({ timestamp }) => ((timestamp - start) >>> 0) / 160)).toEqual([
      1, 1, 1, 1, 1, 34, 34, 34, 34, 34,
    ]);
    expect(events.map(({ payload }) => [...payload])).toEqual(
      [4, 2].flatMap((digit) => [
        [digit, 10, 0, 160],
        [digit, 10, 1, 64],
        ...Array.from({ length: 3 }, () => [digit, 0x8a, 1, 224]),
      ]),
    );
    expect(
      audio.filter(({ payload }) => payload[0] === 7).map(({ timestamp }) => ((timestamp - start) >>> 0) / 160),
    ).toEqual([0, 42]);
    expect(audio.slice(1, -1).every(({ payload }) => payload.every((code) => code === 0xd5))).toBe(true);
    expect(new Set(got.map(({ sequence }) => sequence)).size).toBe(frameCount);
  });

  it('sends DTMF as tones to a peer without telephone-event', async () => {
    const { port } = phone.address();
    expect(session.answer(wire(offerAt(port).replace('8 0 96', '8 0'))).ok).toBe(true);
    leg.sendDtmf('5', 100);
    for (let frame = 0; frame < 11; frame++) leg.send(new Uint8Array(160).fill(7));
    await until(() => got.length === 11, 'all packets arrive');
    got.sort((a, b) => ((a.sequence - b.sequence) << 16) >> 16);
    expect(got.every(({ payloadType }) => payloadType === 8)).toBe(true);
    const pcm = Int16Array.from(got.flatMap(({ payload }) => [...decodeG711('pcma', payload)]));
    const tone = pcm.subarray(160, 640);
    expect(purity(tone, 770) + purity(tone, 1_336)).toBeGreaterThan(0.98);
    expect(pcm.subarray(800, 1_600).every((sample) => Math.abs(sample) <= 8)).toBe(true);
    expect(got.at(-1)?.payload[0]).toBe(7);
  });

  it('sends no DTMF while on hold, and continues afterwards', async () => {
    const { port } = phone.address();
    expect(session.answer(wire(offerAt(port, 'a=sendonly\n'))).ok).toBe(true);
    leg.sendDtmf('9', 40);
    for (let frame = 0; frame < 20; frame++) leg.send(new Uint8Array(160));
    expect(session.answer(wire(offerAt(port))).ok).toBe(true);
    leg.send(new Uint8Array(160));
    await until(() => got.length > 0, 'the digit arrives');
    expect(got[0]).toMatchObject({ payloadType: 96, marker: true });
  });

  it('reports a digit with which the call begins', async () => {
    const clock = new VirtualClock();
    leg.close();
    await openLeg(clock);
    const payload = writeTelephoneEvent({ digit: '1', duration: 160, end: false }) ?? new Uint8Array(0);
    for (const sequence of [1, 2, 3]) send(sequence, { payloadType: 96, timestamp: 5, payload });
    await until(() => read === 3, 'the packets are read');
    await clock.advance(1_000);
    expect(digits).toEqual(['1']);
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['garbage', new Uint8Array(50).fill(0xff)],
    ['RTCP', Uint8Array.of(0x80, 200, 0, 6, ...new Uint8Array(24))],
    ['a header without end', Uint8Array.of(0x8f, 8, 0, 1)],
    [
      'a short event',
      writeRtp({ marker: false, payloadType: 96, sequence: 9, timestamp: 1, ssrc: 1, payload: new Uint8Array(1) }),
    ],
    [
      'another codec',
      writeRtp({ marker: false, payloadType: 18, sequence: 9, timestamp: 1, ssrc: 1, payload: new Uint8Array(10) }),
    ],
  ])('ignores %s', async (_, bytes) => {
    phone.send(bytes, leg.port, '127.0.0.1');
    for (const sequence of [10, 11]) send(sequence);
    await until(() => frames.length === 2, 'the frames are there');
    expect(frames).toEqual([10, 11]);
    expect(digits).toEqual([]);
  });

  it('sends nothing while on hold, and continues afterwards', async () => {
    const { port } = phone.address();
    expect(session.answer(wire(offerAt(port, 'a=sendonly\n'))).ok).toBe(true);
    leg.send(new Uint8Array(160));
    expect(session.answer(wire(offerAt(port))).ok).toBe(true);
    leg.send(new Uint8Array(160).fill(9));
    await until(() => got.length > 0, 'a frame arrives');
    expect(got.map((packet) => packet.payload[0])).toEqual([9]);
  });

  it.each(['pcma', 'g722'])('sends packets of 10 ms when the peer accepts no longer ones: %s', async (codec) => {
    const { port } = phone.address();
    const text = offerAt(port, 'a=maxptime:10\n').replace('8 0 96', codec === 'pcma' ? '8 96' : '9 96');
    const wide = new RtpSession({ leg, codecs: ['pcma', 'g722'], address: '127.0.0.1', random: systemRandom });
    expect(wide.answer(wire(text)).ok).toBe(true);
    for (let frame = 0; frame < 3; frame++) leg.send(new Uint8Array(160).fill(frame));
    await until(() => got.length === 6, 'all packets arrive');
    got.sort((a, b) => ((a.sequence - b.sequence) << 16) >> 16);
    expect(got.map(({ payload }) => payload.length)).toEqual([80, 80, 80, 80, 80, 80]);
    const start = got[0]?.timestamp ?? 0;
    expect(got.map(({ timestamp }) => (timestamp - start) >>> 0)).toEqual([0, 80, 160, 240, 320, 400]);
    if (codec === 'pcma') expect(got.map(({ payload }) => payload[79])).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it.each([
    ['a=sendrecv\n', true, true],
    ['a=sendonly\n', false, true],
    ['a=recvonly\n', true, false],
    ['a=inactive\n', false, false],
  ])('reports whether it sends and receives after an offer with %s', (line, sending, receiving) => {
    expect(session.answer(wire(offerAt(phone.address().port, line))).ok).toBe(true);
    expect([leg.sending, leg.receiving]).toEqual([sending, receiving]);
    const zero = offerAt(phone.address().port, line).replace('c=IN IP4 127.0.0.1', 'c=IN IP4 0.0.0.0');
    expect(session.answer(wire(zero)).ok).toBe(true);
    expect([leg.sending, leg.receiving]).toEqual([false, receiving]);
  });

  it('accepts audio with the same SSRC after a hold by a null address', async () => {
    send(1);
    const { port } = phone.address();
    const zero = offerAt(port).replace('c=IN IP4 127.0.0.1', 'c=IN IP4 0.0.0.0');
    expect(session.answer(wire(zero)).ok).toBe(true);
    send(2);
    expect(session.answer(wire(offerAt(port))).ok).toBe(true);
    send(3);
    await until(() => frames.length === 3, 'the phone is heard');
  });

  it('continues after packets to a closed port, and ignores send() and close() once it is closed', async () => {
    const gone = await socketAt();
    const { port } = gone.address();
    gone.close();
    expect(session.answer(wire(offerAt(port))).ok).toBe(true);
    for (let i = 0; i < 5; i++) leg.send(new Uint8Array(160));
    expect(session.answer(wire(offerAt(phone.address().port))).ok).toBe(true);
    leg.send(new Uint8Array(160));
    await until(() => got.length === 1, 'a frame reaches the other phone');
    send(1);
    await until(() => frames.length === 1, 'the phone is still heard');
    leg.close();
    leg.send(new Uint8Array(160));
    leg.close();
  });

  it('answers a new offer with its present codec only', () => {
    const text = offerAt(phone.address().port).replace('8 0 96', '0 8 96');
    const outcome = session.answer(wire(text));
    expect(outcome.ok && bodyOf({ body: outcome.answer })).toContain('RTP/AVP 8 96');
    expect(leg.format.encoding).toBe('pcma');
  });

  it('changes the codec when a new offer lacks the present one', async () => {
    const text = offerAt(phone.address().port).replace('8 0 96', '0 96');
    const outcome = session.answer(wire(text));
    expect(outcome.ok && bodyOf({ body: outcome.answer })).toContain('RTP/AVP 0 96');
    expect(leg.format.encoding).toBe('pcma');
    send(1, { payloadType: 0, payload: new Uint8Array(160).fill(0xff) });
    leg.send(new Uint8Array(160).fill(0xd5));
    await until(() => frames.length === 1 && got.length === 1, 'both are heard');
    expect(frames).toEqual([0xd5]);
    // The smallest value of A-law is slightly more than zero in μ-law.
    expect([got[0]?.payloadType, ...new Set(got[0]?.payload)]).toEqual([0, 0xfe]);
  });

  it('accepts payload types that change from packet to packet', async () => {
    send(1);
    send(2, { payloadType: 0, payload: new Uint8Array(160).fill(0xff) });
    send(3);
    await until(() => frames.length === 3, 'all frames are there');
    expect(frames).toEqual([1, 0xd5, 3]);
  });

  it('renders comfort noise at its level', async () => {
    send(1);
    send(2, { payloadType: 13, payload: Uint8Array.of(60) });
    await until(() => frames.length === 2, 'both frames are there');
    const noise = decodeG711('pcma', Uint8Array.from(heard.slice(160)));
    expect(Math.max(...noise)).toBeGreaterThan(20);
    expect(Math.max(...noise)).toBeLessThan(100);
  });

  it('detects DTMF tones when the peer sends no events, until it sends one', async () => {
    expect(session.answer(wire(offerAt(phone.address().port).replace('8 0 96', '8'))).ok).toBe(true);
    let sequence = 1;
    const press = (row: number, column: number): void => {
      const second = tone(100, column, 6_000);
      const both = tone(100, row, 6_000).map((sample, i) => sample + (second[i] ?? 0));
      const codes = encodeG711('pcma', Int16Array.of(...both, ...new Int16Array(480)));
      for (let at = 0; at < codes.length; at += 160) send(sequence++, { payload: codes.slice(at, at + 160) });
    };
    press(770, 1_336);
    await until(() => digits.length === 1, 'the key is heard');
    session.receiveDigit({ digit: '5', durationMs: 100 });
    session.receiveDigit({ digit: '6', durationMs: 100 });
    press(852, 1_209);
    await until(() => frames.length === 16, 'all frames are there');
    expect(digits).toEqual(['5', '6']);
  });
});
