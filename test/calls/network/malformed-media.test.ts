import { createSocket, type Socket } from 'node:dgram';
import { decodeG711 } from '@va/media';
import { purity, tone } from '@va/test-servers/audio';
import { freePort } from '@va/test-servers/sip-peers';
import type { SipCall } from '@va/testkit/sip-caller';
import { describe, expect, it } from 'vitest';
import { noise } from '../../support/noise.ts';
import { scriptedReply, scriptedVoice } from '../../support/scripted-agent.ts';
import { startService, type TestService } from '../../support/service.ts';
import { callAgent, expectFreshCallToWork } from '../../support/short-call.ts';
import { level, recordingOf } from '../../support/stereo-recording.ts';

/** Builds an RTP packet (RFC 3550 §5.1); `first` is its first byte: version, padding, extension, CSRC count. */
function rtp(payload: Uint8Array, { first = 0x80, payloadType = 0, sequence = 1 } = {}): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt8(first, 0);
  header.writeUInt8(payloadType, 1);
  header.writeUInt16BE(sequence, 2);
  header.writeUInt32BE(sequence * 160, 4);
  header.writeUInt32BE(0x1234_5678, 8);
  return Buffer.concat([header, payload]);
}

const toneMs = 600;
const loudFrame = noise(160, 5);

const malformed: readonly Buffer[] = [
  Buffer.alloc(0),
  Buffer.from([0x80]),
  rtp(loudFrame).subarray(0, 11),
  rtp(loudFrame, { first: 0x00 }),
  rtp(loudFrame, { first: 0xc0 }),
  // Fifteen declared but absent contributing sources; an extension longer than the packet; only padding.
  rtp(Buffer.alloc(0), { first: 0x8f }),
  rtp(Buffer.from([0xbe, 0xde, 0xff, 0xff]), { first: 0x90 }),
  rtp(Buffer.from([0xff]), { first: 0xa0 }),
  rtp(loudFrame, { payloadType: 77 }),
  rtp(Buffer.from([5, 0x0a]), { payloadType: 101 }),
  ...Array.from({ length: 50 }, (_, index) => noise(index * 29, index)),
];

/** Returns well-formed consecutive packets from another source. */
function strangersStream(): () => Buffer[] {
  let sequence = 0;
  return () => [rtp(loudFrame, { sequence: sequence++ & 0xffff })];
}

/** Sends a round of packets from a loopback socket every 5 ms until it is stopped. */
function flood(port: number, packets: () => readonly Buffer[]): () => Promise<void> {
  const socket: Socket = createSocket('udp4');
  socket.on('error', () => {});
  const timer = setInterval(() => {
    for (const packet of packets()) socket.send(packet, port, '127.0.0.1');
  }, 5);
  return () => {
    clearInterval(timer);
    return new Promise((resolve) => socket.close(() => resolve()));
  };
}

async function freeEvenPort(): Promise<number> {
  const port = await freePort();
  return port % 2 === 0 ? port : await freeEvenPort();
}

/** Returns whether the UDP port is in use by the media of a call. */
async function isTaken(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const taken = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(true));
    socket.bind(port, '127.0.0.1', () => resolve(false));
  });
  socket.close();
  return taken;
}

/** Runs one turn and expects the agent's audio to arrive unchanged. */
async function expectUndisturbedTurn(call: SipCall): Promise<void> {
  const spoken = await call.say(tone(toneMs));
  const repliedAtMs = await call.waitForSpeech({ afterMs: spoken.endedAtMs });
  await call.waitForSilence({ ms: 300 });
  const reply = call.heard().frames.filter(({ loud, atMs }) => loud && atMs >= repliedAtMs);
  const [voice] = decodeG711('pcmu', Uint8Array.of(scriptedVoice.code));
  expect(reply).toHaveLength((scriptedReply.length * scriptedVoice.msPerLetter) / 20);
  expect(new Set(reply.flatMap(({ pcm }) => [...pcm]))).toEqual(new Set([voice]));
}

/** Expects the caller's channel of the recording to contain silence, the tone, and silence again. */
async function expectOnlyTheToneRecorded(service: TestService): Promise<void> {
  const record = await service.ended(1);
  expect(record).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
  expect(record.messages.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
  const { caller } = await recordingOf(service, record);
  const start = caller.findIndex((sample) => Math.abs(sample) > 500);
  expect(purity(caller.subarray(start + 160, start + toneMs * 8 - 320), 440)).toBeGreaterThan(0.98);
  expect(level(caller.subarray(0, start))).toBeLessThan(20);
  expect(level(caller.subarray(start + (toneMs + 100) * 8))).toBeLessThan(20);
}

describe('media that is not from the caller', () => {
  it.concurrent.for([
    ['is malformed', () => malformed],
    ['is a stream from another source', strangersStream()],
  ] as const)('does not affect the call when it %s', async ([, packets], { onTestFinished }) => {
    const rtpPort = await freeEvenPort();
    const service = await startService({ rtpPort });
    onTestFinished(() => service.close());
    expect(await isTaken(rtpPort)).toBe(false);
    const call = await callAgent(service);
    expect(await isTaken(rtpPort)).toBe(true);

    const stop = flood(rtpPort, packets);
    await expectUndisturbedTurn(call);
    await stop();
    await call.hangup();
    await expectOnlyTheToneRecorded(service);
    await expectFreshCallToWork(service);
  });
});
