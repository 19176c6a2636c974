import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { uuidv7 } from '../../src/ids.ts';
import { folderRecordings } from '../../src/node/folder-recordings.ts';
import { wavHeader } from '../../src/node/wav-header.ts';
import type { StoredRecording } from '../../src/ports/recordings.ts';
import { PeaksCache } from '../../src/recordings/peaks-cache.ts';
import { readPeaks } from '../../src/recordings/read-peaks.ts';

const clock = new VirtualClock();

interface Written {
  readonly channels?: number;
  readonly sampleRateHz?: number;
  readonly bits?: number;
  /** Size of the samples in the header; the real one by default. */
  readonly announced?: number;
  /** Chunks between the format and the samples. */
  readonly between?: Uint8Array;
}

function wav(samples: readonly number[], written: Written = {}): Uint8Array {
  const { channels = 2, sampleRateHz = 8_000, bits = 16, between = new Uint8Array(0) } = written;
  const header = wavHeader(written.announced ?? samples.length * 2);
  const view = new DataView(header.buffer);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint16(32, (channels * bits) / 8, true);
  view.setUint16(34, bits, true);
  const data = new Uint8Array(Int16Array.from(samples).buffer);
  return Buffer.concat([header.subarray(0, 36), between, header.subarray(36), data]);
}

/** A recording whose bytes come in chunks of `chunkBytes`; counts the reads. */
function stored(bytes: Uint8Array, chunkBytes = 64_000): StoredRecording & { readonly reads: () => number } {
  let reads = 0;
  return {
    contentType: 'audio/wav',
    byteLength: bytes.byteLength,
    reads: () => reads,
    read({ start, end } = { start: 0, end: bytes.byteLength - 1 }) {
      reads += 1;
      let at = start;
      return new ReadableStream({
        pull(controller) {
          if (at > end) return controller.close();
          controller.enqueue(bytes.slice(at, Math.min(at + chunkBytes, end + 1)));
          at += chunkBytes;
        },
      });
    },
  };
}

const stereo = Array.from({ length: 8_000 }, (_, frame) => [frame === 4_321 ? -32_768 : 0, frame < 4_000 ? 16_384 : 0]);

describe('the waveform of a recording', () => {
  it.each([64_000, 1_000, 7, 3])('keeps the largest magnitude of each point, in chunks of %i bytes', async (chunk) => {
    const peaks = await readPeaks(stored(wav(stereo.flat()), chunk), 10, clock);
    expect(peaks).toEqual({
      duration_ms: 1_000,
      sample_rate: 8_000,
      channels: { caller: [0, 0, 0, 0, 0, 1, 0, 0, 0, 0], agent: [0.5, 0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0, 0] },
    });
  });

  it('has one side for a mono recording, at 16 kHz', async () => {
    const samples = Array.from({ length: 1_600 }, (_, at) => (at < 800 ? 8_192 : -16_384));
    const peaks = await readPeaks(stored(wav(samples, { channels: 1, sampleRateHz: 16_000 })), 2, clock);
    expect(peaks).toEqual({ duration_ms: 100, sample_rate: 16_000, channels: { caller: [0.25, 0.5], agent: [] } });
  });

  it('has a point per frame when there are fewer frames than points', async () => {
    const { channels } = await readPeaks(stored(wav([32_767, 0, 0, 32_767])), 800, clock);
    expect(channels).toEqual({ caller: [1, 0], agent: [0, 1] });
  });

  it('covers what is there when the header announces nothing, or more', async () => {
    for (const announced of [0, 1_000_000, 0xffffffff]) {
      const { duration_ms } = await readPeaks(stored(wav(stereo.flat(), { announced })), 10, clock);
      expect(duration_ms).toBe(1_000);
    }
  });

  it('skips chunks before the samples, and a last frame that is incomplete', async () => {
    const between = Buffer.concat([Buffer.from('LIST'), Buffer.from([3, 0, 0, 0, 1, 2, 3, 0])]);
    const bytes = wav([1_024, 2_048, 4_096, 8_192, 32_767], { between });
    const { channels } = await readPeaks(stored(bytes), 10, clock);
    expect(channels).toEqual({ caller: [0.031, 0.125], agent: [0.063, 0.25] });
  });

  it('is empty for a recording without samples', async () => {
    const peaks = await readPeaks(stored(wav([])), 10, clock);
    expect(peaks).toEqual({ duration_ms: 0, sample_rate: 8_000, channels: { caller: [], agent: [] } });
  });

  it.each([
    ['another format', Buffer.from('OggS and more bytes than a header of RIFF')],
    ['8-bit samples', wav([1, 2], { bits: 8 })],
    ['more than two channels', wav([1, 2, 3], { channels: 3 })],
    ['no channel', wav([1, 2], { channels: 0 })],
    ['a header that is cut', wav([1, 2]).subarray(0, 30)],
    ['chunks that never end', wav([], { between: Buffer.alloc(8_000) })],
    ['no bytes', new Uint8Array(0)],
  ])('refuses %s', async (_, bytes) => {
    const refusal = { status: 501, code: 'recording_not_readable' };
    await expect(readPeaks(stored(bytes), 10, clock)).rejects.toMatchObject(refusal);
  });

  it('refuses a recording whose store only redirects', async () => {
    const url = 'https://bucket.example.com/recording.wav';
    const throwing: StoredRecording = {
      ...{ contentType: 'audio/wav', byteLength: 1_000, url },
      read() {
        throw new Error('not supported');
      },
    };
    const failing: StoredRecording = {
      ...throwing,
      read: () => new ReadableStream({ pull: (controller) => controller.error(new Error('forbidden')) }),
    };
    for (const recording of [throwing, failing]) {
      const refusal = { status: 501, code: 'recording_not_readable' };
      await expect(readPeaks(recording, 10, clock)).rejects.toMatchObject(refusal);
    }
  });

  it('gives up on a store that never answers', async () => {
    let isCanceled = false;
    const silent: StoredRecording = {
      ...{ contentType: 'audio/wav', byteLength: 1_000 },
      read: () =>
        new ReadableStream({
          pull: () => new Promise(() => {}),
          cancel() {
            isCanceled = true;
          },
        }),
    };
    const peaks = expect(readPeaks(silent, 10, clock)).rejects.toMatchObject({ status: 503, code: 'unavailable' });
    await clock.advance(30_000);
    await peaks;
    expect(isCanceled).toBe(true);
  });

  it('reads the files of a folder', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'va-peaks-'));
    try {
      const store = folderRecordings({ dir });
      const [orgId, callId] = [uuidv7(clock), uuidv7(clock)];
      const sink = await store.create(orgId, callId);
      sink.write(Int16Array.from(stereo.flat()));
      sink.write(Int16Array.from([0, 0]));
      await sink.close();
      const recording = await store.open(orgId, callId);
      if (recording === null) throw new Error('there is no recording');
      expect((await readPeaks(recording, 10, clock)).channels.caller[5]).toBe(1);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});

describe('the cache of waveforms', () => {
  it('reads a recording once for simultaneous and later requests', async () => {
    const cache = new PeaksCache(clock);
    const recording = stored(wav(stereo.flat()));
    const [one, two] = await Promise.all([cache.get('a', recording, 10), cache.get('a', recording, 10)]);
    expect(one).toBe(two);
    expect(await cache.get('a', recording, 10)).toBe(one);
    expect(recording.reads()).toBe(2);
  });

  it('reads again for another number of points, another call, and a recording that has grown', async () => {
    const cache = new PeaksCache(clock);
    const [short, long] = [stored(wav([1, 2])), stored(wav([1, 2, 3, 4]))];
    await cache.get('a', short, 10);
    await cache.get('a', short, 20);
    await cache.get('b', short, 10);
    await cache.get('a', long, 10);
    expect([short.reads(), long.reads()]).toEqual([6, 2]);
  });

  it('drops the least recently used', async () => {
    const cache = new PeaksCache(clock);
    const recording = stored(wav([1, 2]));
    await cache.get('first', recording, 10);
    await cache.get('second', recording, 10);
    for (let n = 0; n < 99; n += 1) {
      await cache.get(`call ${n}`, recording, 10);
      await cache.get('first', recording, 10);
    }
    const before = recording.reads();
    await cache.get('first', recording, 10);
    expect(recording.reads()).toBe(before);
    await cache.get('second', recording, 10);
    expect(recording.reads()).toBe(before + 2);
  });

  it('does not keep a failure', async () => {
    const cache = new PeaksCache(clock);
    const bad = stored(Buffer.alloc(48));
    await expect(cache.get('a', bad, 10)).rejects.toThrow();
    const good = stored(wav([1, 2]));
    expect(good.byteLength).toBe(48);
    await expect(cache.get('a', good, 10)).resolves.toMatchObject({ duration_ms: 0 });
  });
});
