import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderRecordings } from '@va/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import wavefile from 'wavefile';

const orgId = '01890000-0000-7000-8000-000000000001';
const callId = '01890000-0000-7000-8000-000000000002';
let dir = '';

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'va-recordings-'));
});

afterAll(async () => {
  await rm(dir, { recursive: true });
});

describe('folderRecordings', () => {
  it('completes a recording whose process died while writing it', async () => {
    const store = folderRecordings({ dir });
    const dead = await store.create(orgId, callId);
    dead.write(new Int16Array(16_000).fill(7));
    await vi.waitFor(async () => expect((await store.open(orgId, callId))?.byteLength).toBe(44 + 32_000));
    expect(await store.finish?.(orgId, callId)).toBe(true);
    const wav = new wavefile.WaveFile(await readFile(join(dir, orgId, `${callId}.wav`)));
    expect((wav.getSamples(true, Int16Array) as unknown as Int16Array).length).toBe(16_000);
    expect(await store.finish?.(orgId, '01890000-0000-7000-8000-000000000009')).toBe(false);
    await dead.close();
  });

  it('writes a stereo WAV file that another library reads back sample by sample', async () => {
    const store = folderRecordings({ dir });
    const sink = await store.create(orgId, callId);
    const frame = new Int16Array(320);
    for (let tick = 0; tick < 125; tick++) {
      for (let i = 0; i < 160; i++) {
        frame[2 * i] = tick;
        frame[2 * i + 1] = -tick;
      }
      sink.write(frame);
    }
    await sink.close();

    const wav = new wavefile.WaveFile(await readFile(join(dir, orgId, `${callId}.wav`)));
    expect(wav.fmt).toMatchObject({ numChannels: 2, sampleRate: 8_000, bitsPerSample: 16 });
    const [caller, agent] = wav.getSamples(false, Int16Array) as unknown as [Int16Array, Int16Array];
    expect(caller).toHaveLength(125 * 160);
    expect([caller[0], caller[160], agent[160], caller.at(-1), agent.at(-1)]).toEqual([0, 1, -1, 124, -124]);
  });

  it('writes the rate of a wideband call, also if the process dies', async () => {
    const store = folderRecordings({ dir });
    const wideId = '01890000-0000-7000-8000-000000000004';
    const rateOf = async (): Promise<unknown> => {
      const wav = new wavefile.WaveFile(await readFile(join(dir, orgId, `${wideId}.wav`)));
      return [
        (wav.fmt as { sampleRate: number }).sampleRate,
        (wav.getSamples(true, Int16Array) as unknown as Int16Array).length,
      ];
    };
    const sink = await store.create(orgId, wideId);
    sink.setSampleRate?.(16_000);
    sink.write(new Int16Array(16_000).fill(7));
    await vi.waitFor(async () => expect((await store.open(orgId, wideId))?.byteLength).toBe(44 + 32_000));
    expect(await store.finish?.(orgId, wideId)).toBe(true);
    expect(await rateOf()).toEqual([16_000, 16_000]);
    sink.write(new Int16Array(640));
    await sink.close();
    expect(await rateOf()).toEqual([16_000, 16_640]);
  });

  it('reads a range of a recording', async () => {
    const recording = await folderRecordings({ dir }).open(orgId, callId);
    expect(recording?.byteLength).toBe(44 + 125 * 640);
    const part = await new Response(recording?.read({ start: 0, end: 3 })).text();
    expect(part).toBe('RIFF');
  });

  it('returns exactly the announced number of bytes while the recording grows', async () => {
    const store = folderRecordings({ dir });
    const liveId = '01890000-0000-7000-8000-000000000003';
    const sink = await store.create(orgId, liveId);
    const recording = await store.open(orgId, liveId);
    sink.write(new Int16Array(16_000));
    await sink.close();
    expect((await new Response(recording?.read()).arrayBuffer()).byteLength).toBe(recording?.byteLength);
  });

  it('returns null for an unknown call and for an id that is a path', async () => {
    const store = folderRecordings({ dir });
    expect(await store.open(orgId, '01890000-0000-7000-8000-00000000ffff')).toBeNull();
    expect(await store.open(orgId, '../../etc/passwd')).toBeNull();
    await expect(store.create('..', callId)).rejects.toThrow('UUID');
  });
});
