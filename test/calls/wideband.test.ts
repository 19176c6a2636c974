import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOpus } from '@va/media';
import { fromWav, tone, toneLevel, toWav } from '@va/test-servers/audio';
import { type Baresip, freePort, hasBaresip, runBaresip } from '@va/test-servers/sip-peers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { recordingOf } from '../support/stereo-recording.ts';
import { agentHz, type ToneAgent, toneAgent } from '../support/tone-agent.ts';

const opus = await loadOpus();
if (opus === null) console.warn('Opus is not tested with baresip: @discordjs/opus is not installed (npm run natives).');

/** The caller's voice: a tone above the telephone band, and one within it. */
const callerHz = { high: 6_000, low: 1_100 };

/** A codec of baresip: its name, and the rate and channels of the files that it plays and writes. */
interface PhoneCodec {
  readonly name: string;
  readonly rateHz: number;
  readonly channels: number;
}

const g722: PhoneCodec = { name: 'G722/16000/1', rateHz: 16_000, channels: 1 };
const opusCodec: PhoneCodec = { name: 'opus/48000/2', rateHz: 48_000, channels: 2 };
const wideCodecs = opus === null ? [g722] : [g722, opusCodec];

let dir: string;
let agent: ToneAgent;
let service: TestService;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'va-wideband-'));
  agent = toneAgent();
  service = await startService({ agent });
});
afterEach(async () => {
  await service.close();
  await rm(dir, { recursive: true });
});

/** A file with both tones of the caller. */
async function voiceFile({ rateHz, channels }: PhoneCodec, seconds: number): Promise<string> {
  const path = join(dir, `${rateHz}.wav`);
  const low = tone(seconds * 1_000, callerHz.low, 6_000, rateHz);
  const high = tone(seconds * 1_000, callerHz.high, rateHz > 8_000 ? 6_000 : 0, rateHz);
  const samples = low.map((sample, i) => sample + (high[i] ?? 0));
  const interleaved = Int16Array.from(
    { length: channels * samples.length },
    (_, i) => samples[Math.floor(i / channels)] ?? 0,
  );
  await writeFile(path, toWav(interleaved, rateHz, channels));
  return path;
}

async function phoneWith(
  codec: PhoneCodec,
  options: { dial?: string; name?: string; seconds?: number; sipPort?: number } = {},
): Promise<Baresip> {
  const { seconds = 3, name = 'phone', dial } = options;
  return await runBaresip({
    ...{ dir: await mkdtemp(join(dir, name)), name, codecs: [codec.name], wavPath: await voiceFile(codec, seconds) },
    ...{
      sipPort: options.sipPort ?? (await freePort()),
      rtpPort: await freePort(),
      ...(dial === undefined ? {} : { dial }),
    },
  });
}

/** Returns what a phone heard, one channel. */
async function heardBy(phone: Baresip, { channels }: PhoneCodec): Promise<Int16Array> {
  const heard = fromWav(await readFile((await phone.heardPath()) ?? ''));
  return heard.filter((_, i) => i % channels === 0);
}

/** Levels of a voice's tones where it is loudest: half a second of steady sound. */
function levels(samples: Int16Array, hz: { high: number; low: number }, rateHz: number): { high: number; low: number } {
  const length = rateHz / 2;
  const all = Array.from({ length: Math.floor(samples.length / length) }, (_, i) => {
    const part = samples.subarray(i * length, (i + 1) * length);
    return { high: rateHz > 8_000 ? toneLevel(part, hz.high, rateHz) : 0, low: toneLevel(part, hz.low, rateHz) };
  });
  return all.reduce((best, each) => (each.low > best.low ? each : best), { high: 0, low: 0 });
}

describe.skipIf(!hasBaresip())('a phone (Debian: baresip-core)', () => {
  it.each(wideCodecs)('with $name has wideband at recognizer, voice and recording', async (codec) => {
    const phone = await phoneWith(codec, { dial: service.uri() });
    try {
      await phone.child.waitFor(/packets: +\d+ +\d+/, 20_000);
    } finally {
      await phone.child.stop();
    }
    const call = await service.ended(1);
    const [recognized] = agent.recognized;
    expect(recognized?.format).toEqual({ encoding: 'pcm16', sampleRateHz: 16_000 });
    expect(agent.spoken).toEqual([{ encoding: 'pcm16', sampleRateHz: 16_000 }]);
    const atRecognizer = levels(Int16Array.from(recognized?.samples ?? []), callerHz, 16_000);
    expect(atRecognizer.low).toBeGreaterThan(4_500);
    expect(atRecognizer.high).toBeGreaterThan(3_500);
    const atPhone = levels(await heardBy(phone, codec), agentHz, codec.rateHz);
    expect(atPhone.low).toBeGreaterThan(3_500);
    expect(atPhone.high).toBeGreaterThan(2_500);
    const recording = await recordingOf(service, call);
    expect(recording.sampleRateHz).toBe(16_000);
    const caller = levels(recording.caller, callerHz, 16_000);
    expect(caller.high / caller.low).toBeGreaterThan(0.7);
    const agentSide = levels(recording.agent, agentHz, 16_000);
    expect(agentSide.high / agentSide.low).toBeGreaterThan(0.9);
  });

  it('with G.711 has 8 kHz everywhere', async () => {
    const phone = await phoneWith({ name: 'PCMA/8000/1', rateHz: 8_000, channels: 1 }, { dial: service.uri() });
    try {
      await phone.child.waitFor(/packets: +\d+ +\d+/, 20_000);
    } finally {
      await phone.child.stop();
    }
    const call = await service.ended(1);
    expect(agent.recognized.map(({ format }) => format)).toEqual([{ encoding: 'pcma', sampleRateHz: 8_000 }]);
    expect(agent.spoken).toEqual([{ encoding: 'pcma', sampleRateHz: 8_000 }]);
    const recording = await recordingOf(service, call);
    expect(recording.sampleRateHz).toBe(8_000);
    expect(levels(recording.caller, callerHz, 8_000).low).toBeGreaterThan(4_500);
    expect(levels(recording.agent, agentHz, 8_000).low).toBeGreaterThan(4_500);
  });

  it('with G.722 is bridged to a phone with G.711', async () => {
    const narrow = { name: 'PCMU/8000/1', rateHz: 8_000, channels: 1 };
    const sipPort = await freePort();
    const desk = await phoneWith(narrow, { name: 'desk', seconds: 4, sipPort });
    const { operations } = service.va;
    await desk.child.waitFor(/baresip is ready/, 20_000);
    const trunk = await operations.trunks.create(service.orgId, {
      name: 'Desk',
      provider: 'test',
      address: `127.0.0.1:${sipPort}`,
    });
    const [number] = await operations.numbers.list(service.orgId);
    await operations.numbers.update(service.orgId, number?.id ?? '', { transfer_trunk_id: trunk.id });
    const phone = await phoneWith(g722, { dial: service.uri(), seconds: 8 });
    try {
      await expect.poll(() => service.notices.some(({ type }) => type === 'agent-spoke')).toBe(true);
      const { calls } = await operations.calls.list(service.orgId, {});
      const command = { type: 'transfer', destination: `sip:desk@127.0.0.1:${sipPort}` } as const;
      await operations.calls.control(service.orgId, calls[0]?.id ?? '', command);
      await desk.child.waitFor(/packets: +\d+ +\d+/, 20_000);
    } finally {
      await phone.child.stop();
      await desk.child.stop();
    }
    expect(await service.ended(1)).toMatchObject({ end_reason: 'transferred' });
    expect(levels(await heardBy(desk, narrow), callerHz, 8_000).low).toBeGreaterThan(4_500);
    const heard = levels(await heardBy(phone, g722), callerHz, 16_000);
    expect(heard.low).toBeGreaterThan(4_500);
    expect(heard.high).toBeLessThan(100);
  });
});
