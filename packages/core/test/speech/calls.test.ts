import { below, hasHumanSpeech, hasLineNoise, levelOfParts, noiseNamed } from '@va/test-servers/audio';
import { describe, expect, it } from 'vitest';
import { type Condition, clean, measured, withoutSpeech } from './conditions.ts';
import { type Sentence, sentences, words } from './corpus.ts';
import { percentile } from './figures.ts';
import { type NoisyCall, type NoisyCallOptions, speechOf } from './noisy-call.ts';
import { noisyCalls } from './noisy-calls.ts';
import { measuresAll, tell } from './report.ts';

const speechIsHere = hasHumanSpeech() && hasLineNoise();
const said = speechIsHere ? await sentences(measuresAll ? 60 : 20) : [];
const shortWords = speechIsHere ? await words() : [];
const speechLevel = levelOfParts(said.flatMap(({ pcm, voiced }) => voiced.map((part) => within(pcm, part))));
const quickest = measured.map(([condition]) => condition).filter(({ name }) => measuresAll || !name.includes('20 dB'));
const withoutVoices = quickest.filter(({ noise }) => noise?.name !== 'babble');
const { ring } = noisyCalls();

function within(pcm: Int16Array, { fromMs, toMs }: { fromMs: number; toMs: number }): Int16Array {
  return pcm.subarray(fromMs * 8, toMs * 8);
}

async function ringIn(
  { noise }: Condition,
  rest: Pick<NoisyCallOptions, 'understood' | 'agentSays'>,
): Promise<NoisyCall> {
  const noiseLevel = noise === null ? 0 : below(speechLevel, noise.signalToNoiseDb);
  return await ring({ ...rest, noise: noise === null ? null : await noiseNamed(noise.name), noiseLevel });
}

/** Accepted share of missed turns: two of 63 turns on a quiet line were missed when the VAD was chosen. */
const seldom = 2 / 63;

/** Plays audio and then listens; returns the time of the call at which a condition first held, or null. */
async function firstTimeMs(
  call: NoisyCall,
  pcm: Int16Array,
  listenMs: number,
  holds: () => boolean,
): Promise<number | null> {
  const times: number[] = [];
  const note = (): boolean => {
    if (times.length === 0 && holds()) times.push(call.nowMs);
    return times.length > 0;
  };
  await call.say(pcm, note);
  await call.listen(listenMs, note);
  return times[0] ?? null;
}

/**
 * Waits until the agent has spoken for a second and plays the sentence over it. Returns the time from the speech onset
 * until the agent stopped, in milliseconds, or null if it did not stop.
 */
async function sayOver(call: NoisyCall, { pcm, voiced }: Sentence): Promise<number | null> {
  expect(await call.listen(8_000, () => call.isAgentSpeaking)).toBe(true);
  await call.listen(1_000);
  const before = call.interruptions;
  const onsetAtMs = call.nowMs + (voiced[0]?.fromMs ?? 0);
  // Speech shorter than min_duration_ms interrupts by its words.
  const stoppedAtMs = await firstTimeMs(call, pcm, 1_500, () => call.interruptions > before);
  return stoppedAtMs === null ? null : stoppedAtMs - onsetAtMs;
}

describe.skipIf(!speechIsHere)('an agent that speaks for a minute', () => {
  it.each(withoutSpeech)('is not interrupted by $noise', async ({ noise, share }) => {
    const call = await ring({
      noise: await noiseNamed(noise),
      noiseLevel: share * speechLevel,
      understood: null,
      agentSays: speechOf(65),
    });
    await call.listen(60_000);
    tell(`falsely interrupted by ${noise}`, { interruptions: call.interruptions });
    expect(call.interruptions).toBe(0);
    // Not a single frame is missing.
    expect(call.agentSpokeMs).toBeGreaterThanOrEqual(59_900);
  });

  it('is not interrupted by DTMF keys whose first tones leak into the audio', async () => {
    const tones = Int16Array.from((await noiseNamed('keys')).samples.subarray(0, 320), (sample) => sample * 3_000);
    const speechConfig = { dtmf: { enabled: false } };
    const call = await ring({ noise: null, noiseLevel: 0, understood: null, agentSays: speechOf(60), speechConfig });
    for (let key = 0; key < 50; key++) {
      await call.press('5', tones);
      await call.listen(800);
    }
    expect(call.interruptions).toBe(0);
    expect(call.agentSpokeMs).toBeGreaterThanOrEqual(49_000);
  });
});

describe.skipIf(!speechIsHere)('a caller who speaks over the agent', () => {
  it.each(withoutVoices)('interrupts with every sentence, with noise: $name', async (condition) => {
    const call = await ringIn(condition, { understood: 'A table for two, please.', agentSays: speechOf(60) });
    const stops: number[] = [];
    for (const sentence of said) {
      const stoppedAfterMs = await sayOver(call, sentence);
      if (stoppedAfterMs !== null) stops.push(stoppedAfterMs);
    }
    const missed = said.length - stops.length;
    tell(`interrupted with ${condition.name}`, { missed, stopMs: [percentile(stops, 0.5), percentile(stops, 0.95)] });
    expect(missed).toBe(0);
    // An interruption takes 500 ms of speech, and the VAD adds about 100 ms.
    expect(percentile(stops, 0.5)).toBeLessThanOrEqual(640);
  });

  it.each(withoutVoices)('interrupts with a single word, with noise: $name', async (condition) => {
    const call = await ringIn(condition, { understood: 'No, stop.', agentSays: speechOf(60) });
    let missed = 0;
    for (const word of shortWords) {
      const before = call.cutOff;
      await sayOver(call, word);
      if (!(await call.listen(2_000, () => call.cutOff > before))) missed += 1;
    }
    tell(`cut off by a word with ${condition.name}`, { missed, of: shortWords.length });
    expect(missed).toBeLessThanOrEqual(seldom * shortWords.length);
  });

  it('does not interrupt with a backchannel of the same length', async () => {
    const call = await ringIn(clean, { understood: 'uh-huh', agentSays: speechOf(60 * 5) });
    for (const word of shortWords) {
      await call.listen(1_500);
      await call.say(word.pcm);
    }
    await call.listen(3_000, () => call.isAgentSpeaking);
    expect(call.cutOff).toBe(0);
    expect(call.isAgentSpeaking).toBe(true);
  });
});

/** Accepted share of missed turns when other people keep talking, as measured when the VAD was chosen. */
const unanswered: Readonly<Record<string, number>> = { 'babble 15 dB below': 12 / 63, 'babble 10 dB below': 30 / 63 };

describe.skipIf(!speechIsHere)('a caller who speaks one sentence after another', () => {
  it.each(quickest)('is answered each time, with noise: $name', async (condition) => {
    const call = await ringIn(condition, { understood: 'A table for two, please.', agentSays: 'Yes.' });
    await call.listen(1_000);
    const delays: number[] = [];
    for (const { pcm, voiced } of said) {
      const endedAtMs = call.nowMs + (voiced.at(-1)?.toMs ?? 0);
      // A short reply can be over before the silence at the end of the recording is.
      const isReply = (): boolean => call.nowMs > endedAtMs && call.isAgentSpeaking;
      const repliedAtMs = await firstTimeMs(call, pcm, 3_000, isReply);
      if (repliedAtMs !== null) delays.push(repliedAtMs - endedAtMs);
      await call.listen(2_000);
    }
    const missed = said.length - delays.length;
    tell(`answered with ${condition.name}`, { missed, afterMs: [percentile(delays, 0.5), percentile(delays, 0.95)] });
    expect(missed).toBeLessThanOrEqual(Math.ceil((unanswered[condition.name] ?? 0) * said.length));
  });
});
