import type { TextToSpeech, TtsEvent } from '@va/core/adapter';
import { EventQueue } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { phoneCalls } from '../support/phone-calls.ts';
import { recordedCall } from './recorded-call.ts';

const { ring } = phoneCalls();

/** Two seconds of a tone at 16 kHz, little-endian. */
const tone = new Uint8Array(
  Int16Array.from({ length: 32_000 }, (_, i) => 8_000 * Math.sin((2 * Math.PI * 440 * i) / 16_000)).buffer,
);

/** A TTS that emits linear samples in chunks of `bytes`, all at once. */
function voiceInPieces(bytes: number): TextToSpeech {
  return {
    kind: 'tts',
    id: 'pieces',
    formats: [{ encoding: 'pcm16', sampleRateHz: 16_000 }],
    open: () => ({
      speak() {
        const events = new EventQueue<TtsEvent>();
        return {
          push() {
            for (let at = 0; at < tone.length; at += bytes) {
              events.push({ type: 'audio', audio: tone.slice(at, at + bytes) });
            }
          },
          end: () => events.end(),
          cancel: () => events.discard(),
          [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
        };
      },
      close() {},
    }),
  };
}

async function soundOf(bytes: number): Promise<Uint8Array[]> {
  const call = await ring({
    extraProviders: [voiceInPieces(bytes)],
    agent: { first_message: 'Good evening.', tts_config: { provider: 'pieces' } },
  });
  await call.quiet(4_000);
  return call.incoming.sent;
}

describe('12. agent audio', () => {
  it('is the same for any chunk size, odd sizes and a single chunk included', async () => {
    const heard = await Promise.all([tone.length, 37, 161, 641, 4_097].map(soundOf));
    const [whole, ...pieces] = heard.map((frames) => frames.map((frame) => Buffer.from(frame).toString('hex')).join());
    for (const each of pieces) expect(each === whole).toBe(true);
    const sounding = (heard[0] ?? []).filter((frame) => frame.some((code) => code !== 0xff));
    // Two seconds of audio take two seconds, although they arrive at once.
    expect(sounding.length).toBeGreaterThanOrEqual(100);
    expect(sounding.length).toBeLessThanOrEqual(102);
  });

  it('has a frame every 20 ms during interruptions, and no gap in the ambient sound', async () => {
    const recordings = recordedCall();
    const call = await ring({
      recordings,
      agent: {
        first_message: 'One two three four five six seven eight nine ten.',
        recording_enabled: true,
        speech_config: { ambient: { sound: 'office', volume: 0.5 }, interruption: { resume_after_ms: 0 } },
      },
    });
    const from = { frames: call.incoming.sent.length, ms: call.clock.nowMs() };
    await call.quiet(600);
    await call.speak(700);
    await call.quiet(1_000);
    expect(call.incoming.sent.length - from.frames).toBe((call.clock.nowMs() - from.ms) / 20);
    const silent = call.incoming.sent.slice(from.frames + 1).filter((frame) => frame.every((code) => code === 0xff));
    expect(silent).toEqual([]);
    expect(call.notices.some(({ type }) => type === 'interrupted')).toBe(true);
  });
});
