import { defaultSpeechConfig } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { SpeechDetector, type SpeechEvent } from '../../src/vad/speech-detector.ts';
import { VadBatcher } from '../../src/vad/vad-batcher.ts';
import type { VoiceActivityDetector } from '../../src/vad/voice-activity.ts';

/** Plays probabilities, one per 20 ms window. */
function detect(probabilities: readonly number[], settings = {}): { events: (SpeechEvent & { atMs: number })[] } {
  let window = 0;
  const detector: VoiceActivityDetector = {
    windowSamples: 160,
    createStream: () => ({ probability: () => probabilities[window] ?? 0 }),
  };
  const events: (SpeechEvent & { atMs: number })[] = [];
  const judge = new VadBatcher(detector, new VirtualClock());
  const onEvent = (event: SpeechEvent): void => {
    events.push({ ...event, atMs: (window + 1) * 20 });
  };
  const speech = new SpeechDetector(judge, { ...defaultSpeechConfig.vad, ...settings }, onEvent, fail);
  for (; window < probabilities.length; window++) {
    const isSpeech = (probabilities[window] ?? 0) >= 0.5;
    speech.push(isSpeech ? fallingTone(window * 20) : new Int16Array(160), (window + 1) * 20);
  }
  return { events };
}

/** Events other than suspicions, which have their own tests. */
function speechOf(probabilities: readonly number[], settings = {}): (SpeechEvent & { atMs: number })[] {
  const { events } = detect(probabilities, settings);
  return events.filter(({ type }) => type !== 'speech-suspected' && type !== 'speech-dismissed');
}

/** Returns 20 ms of a tone that falls from 200 Hz by 5 Hz per frame. */
function fallingTone(atMs: number): Int16Array {
  const hz = 200 - atMs / 4;
  return Int16Array.from({ length: 160 }, (_, i) => 8_000 * Math.sin((2 * Math.PI * hz * i) / 8_000));
}

function fail(error: Error): never {
  throw error;
}

const run = (probability: number, windows: number): number[] => Array.from({ length: windows }, () => probability);

describe('SpeechDetector', () => {
  it('starts after the minimum speech duration, with the time of the first window', () => {
    const events = speechOf([...run(0, 5), ...run(0.9, 4)], { min_speech_ms: 60 });
    expect(events).toEqual([{ type: 'speech-started', onsetAtMs: 100, atMs: 160 }]);
  });

  it('does not start on a click', () => {
    expect(speechOf([...run(0, 5), 0.9, ...run(0, 5), 0.9, 0.9, 0])).toEqual([]);
  });

  it('ends after the minimum silence duration, with the time of the last speech', () => {
    const events = speechOf([...run(0.9, 10), ...run(0, 30)], { min_silence_ms: 200 });
    expect(events.at(-1)).toMatchObject({ type: 'speech-ended', lastSpeechAtMs: 200, atMs: 400 });
  });

  it('reports pauses within speech', () => {
    const events = speechOf([...run(0.9, 5), ...run(0, 3), ...run(0.9, 3), ...run(0, 9)]);
    expect(events.map(({ type }) => type)).toEqual([
      'speech-started',
      'speech-paused',
      'speech-resumed',
      'speech-paused',
    ]);
  });

  it('continues speech between the two thresholds, but does not start there', () => {
    expect(speechOf(run(0.4, 50))).toEqual([]);
    const events = speechOf([...run(0.9, 5), ...run(0.4, 60)]);
    expect(events.map(({ type }) => type)).toEqual(['speech-started']);
  });

  it('does not start on one loud window when the next ones are silent', () => {
    expect(speechOf([...run(0, 5), 0.6, ...run(0.4, 5), ...run(0, 5)])).toEqual([]);
  });

  it('suspects speech from the first window above three tenths of the threshold', () => {
    const { events } = detect([...run(0.1, 5), 0.2, ...run(0.9, 4)], { min_speech_ms: 60 });
    expect(events).toEqual([
      { type: 'speech-suspected', atMs: 120 },
      { type: 'speech-started', onsetAtMs: 120, atMs: 180 },
    ]);
  });

  it('dismisses a suspicion after 90 ms without a suspicious window, and not before', () => {
    const { events } = detect([0.35, ...run(0, 3), 0.35, ...run(0, 10)]);
    expect(events).toEqual([
      { type: 'speech-suspected', atMs: 20 },
      { type: 'speech-dismissed', atMs: 200 },
    ]);
  });

  it('measures how speech ends, also if its end is known only seconds later', () => {
    const tailOf = (minSilenceMs: number): unknown => {
      const events = speechOf([...run(0.9, 30), ...run(0, 110)], { min_silence_ms: minSilenceMs });
      const ended = events.find(({ type }) => type === 'speech-ended');
      return ended?.type === 'speech-ended' ? ended.tail : null;
    };
    expect(tailOf(2_000)).toEqual(tailOf(200));
  });

  it('forgets only the part of a silence beyond half a second', () => {
    let forgotten = 0;
    let window = 0;
    const probabilities = [...run(0.9, 10), ...run(0, 20), ...run(0, 35), 0.9, ...run(0, 20)];
    const stream = { probability: () => probabilities[window] ?? 0, forget: () => (forgotten += 1) };
    const judge = new VadBatcher({ windowSamples: 160, createStream: () => stream }, new VirtualClock());
    const settings = { ...defaultSpeechConfig.vad, min_silence_ms: 400 };
    const speech = new SpeechDetector(judge, settings, () => {}, fail);
    for (; window < probabilities.length; window++) speech.push(new Int16Array(160), (window + 1) * 20);
    // After the 400 ms that end speech, 700 ms of silence follow; the silence after the click is too short.
    expect(forgotten).toBe(10);
  });

  it('assembles windows from frames of another size', () => {
    const seen: number[] = [];
    const detector: VoiceActivityDetector = {
      windowSamples: 256,
      createStream: () => ({
        probability(window) {
          seen.push(window[0] ?? -1, window[255] ?? -1);
          return 0;
        },
      }),
    };
    const judge = new VadBatcher(detector, new VirtualClock());
    const speech = new SpeechDetector(judge, defaultSpeechConfig.vad, () => {}, fail);
    for (let frame = 0; frame < 8; frame++)
      speech.push(
        Int16Array.from({ length: 160 }, (_, i) => frame * 160 + i),
        frame * 20,
      );
    expect(seen).toEqual([0, 255, 256, 511, 512, 767, 768, 1023, 1024, 1279]);
  });
});
