import { encodeG711 } from '@va/media';
import { beforeEach, describe, expect, it } from 'vitest';
import { Heard } from '../../src/sip-caller/heard.ts';
import { VirtualClock } from '../../src/virtual-clock.ts';

const loud = encodeG711('pcmu', new Int16Array(160).fill(4_000));
const still = new Uint8Array(160).fill(0xff);

let clock: VirtualClock;
let heard: Heard;

beforeEach(() => {
  clock = new VirtualClock();
  heard = new Heard(clock, 'pcmu');
});

/** Receives a frame every 20 ms. */
async function hear(...payloads: Uint8Array[]): Promise<void> {
  for (const payload of payloads) {
    heard.receive(payload);
    await clock.advance(20);
  }
}

describe('Heard', () => {
  it('returns the audio, and a list of arrivals', async () => {
    await hear(still, loud);
    expect(heard.pcm).toHaveLength(320);
    expect(heard.frames.map(({ atMs, loud }) => [atMs, loud])).toEqual([
      [0, false],
      [20, true],
    ]);
  });

  it('reports the start of speech, also afterwards', async () => {
    const first = heard.waitForSpeech({});
    await hear(still, loud, loud, still);
    expect(await first).toBe(20);
    expect(await heard.waitForSpeech({})).toBe(20);
    expect(await heard.waitForSpeech({ afterMs: 30 })).toBe(40);
  });

  it('reports silence once it has lasted', async () => {
    await hear(loud);
    let silentSinceMs: number | null = null;
    const waiting = heard.waitForSilence({ ms: 100 }).then((atMs) => {
      silentSinceMs = atMs;
    });
    await hear(loud, still, still, loud, still, still, still);
    expect(silentSinceMs).toBeNull();
    await hear(still, still, still);
    await waiting;
    expect(silentSinceMs).toBe(80);
  });

  it('rejects a wait after its time limit, or when the call ends', async () => {
    const inVain = expect(heard.waitForSpeech({ timeoutMs: 500 })).rejects.toMatchObject({
      code: 'caller_wait_failed',
    });
    await clock.advance(500);
    await inVain;
    const cutOff = expect(heard.waitForSilence({ ms: 9_000 })).rejects.toThrow(/the call ended/);
    heard.close();
    await cutOff;
    expect(clock.pending).toBe(0);
  });
});
