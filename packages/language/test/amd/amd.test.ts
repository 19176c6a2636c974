import { describe, expect, it } from 'vitest';
import {
  type AmdEvent,
  type AmdSettings,
  type AmdState,
  type AmdVerdict,
  defaultAmdSettings,
  startAmd,
  stepAmd,
  verdictDueAtMs,
} from '../../src/amd/amd.ts';
import { adversarialPieces, expectLinear } from '../support/adversarial.ts';
import { greetingRows } from './greeting-rows.ts';

const answeredAtMs = 1_000;

function started(settings: Partial<AmdSettings> = {}): AmdState {
  return startAmd({ ...defaultAmdSettings, ...settings }, answeredAtMs);
}

function after(state: AmdState, ...events: AmdEvent[]): AmdState {
  return events.reduce(stepAmd, state);
}

/** Advances time as a timer would until there is a verdict. */
function settled(state: AmdState): AmdVerdict {
  let now = state;
  for (let ticks = 0; ticks < 5; ticks += 1) {
    const verdict = now.verdict;
    const atMs = verdictDueAtMs(now);
    if (verdict !== null) return verdict;
    if (atMs === null) break;
    now = stepAmd(now, { type: 'tick', atMs });
  }
  throw new Error('no verdict was reached');
}

const speech = (startMs: number, endMs: number): AmdEvent[] => [
  { type: 'speech-started', atMs: startMs },
  { type: 'speech-ended', atMs: endMs },
];

/** Plays a greeting of the given length whose words arrive one by one while it is spoken. */
function greeted(language: string, text: string, lengthMs: number): AmdVerdict {
  const words = text.split(' ');
  const state = after(started({ language }), { type: 'speech-started', atMs: 1_500 });
  const heard = words.reduce(
    (each, _, i) =>
      stepAmd(each, {
        type: 'words',
        text: words.slice(0, i + 1).join(' '),
        final: i === words.length - 1,
        atMs: 1_500 + Math.round((lengthMs * (i + 1)) / words.length) - 1,
      }),
    state,
  );
  return settled(stepAmd(heard, { type: 'speech-ended', atMs: 1_500 + lengthMs }));
}

describe('answering-machine detection', () => {
  it.each(greetingRows)('recognizes (%s) a %s in %i ms: %s', (language, kind, lengthMs, text) => {
    const verdict = greeted(language, text, lengthMs);
    expect(verdict.kind).toBe(kind);
    expect(verdict.waitForBeep).toBe(kind === 'voicemail');
    expect(verdict.atMs).toBeLessThanOrEqual(1_500 + lengthMs + 4_000);
  });

  it('decides for a person at the first pause of a short greeting', () => {
    const state = after(started(), ...speech(1_500, 2_100));
    expect(verdictDueAtMs(state)).toBe(2_600);
    expect(stepAmd(state, { type: 'tick', atMs: 2_599 }).verdict).toBeNull();
    const verdict = { kind: 'human', atMs: 2_600, waitForBeep: false };
    expect(stepAmd(state, { type: 'tick', atMs: 2_600 }).verdict).toEqual(verdict);
    expect(stepAmd(state, { type: 'tick', atMs: 2_900 }).verdict).toEqual(verdict);
  });

  it('counts 2,500 ms as short and waits longer after more', () => {
    expect(settled(after(started(), ...speech(1_500, 4_000))).atMs).toBe(4_500);
    expect(settled(after(started(), ...speech(1_500, 4_001)))).toMatchObject({ kind: 'human', atMs: 5_201 });
  });

  it('measures a greeting across its short pauses', () => {
    const state = after(started(), ...speech(1_500, 2_500), ...speech(2_900, 4_100));
    expect(verdictDueAtMs(state)).toBe(5_300);
  });

  it('decides for a voicemail when speech is long and without a pause', () => {
    const state = after(started(), { type: 'speech-started', atMs: 1_500 });
    expect(verdictDueAtMs(state)).toBe(6_000);
    expect(stepAmd(state, { type: 'tick', atMs: 5_999 }).verdict).toBeNull();
    expect(stepAmd(state, { type: 'tick', atMs: 6_000 }).verdict).toEqual({
      kind: 'voicemail',
      atMs: 6_000,
      waitForBeep: true,
    });
  });

  it('decides during the greeting when its words are unambiguous', () => {
    const state = after(
      started({ language: 'en' }),
      { type: 'speech-started', atMs: 1_500 },
      { type: 'words', text: 'please leave a', final: false, atMs: 2_300 },
    );
    expect(state.verdict).toBeNull();
    const heard = stepAmd(state, { type: 'words', text: 'please leave a message', final: false, atMs: 2_450 });
    expect(heard.verdict).toEqual({ kind: 'voicemail', atMs: 2_450, waitForBeep: true });
  });

  it('joins final words with the partial words after them', () => {
    const state = after(
      started({ language: 'en' }),
      { type: 'speech-started', atMs: 1_500 },
      { type: 'words', text: 'To pay your bill press', final: true, atMs: 3_000 },
      { type: 'words', text: 'two', final: false, atMs: 3_300 },
    );
    expect(state.verdict).toEqual({ kind: 'ivr', atMs: 3_300, waitForBeep: false });
  });

  it('accepts that a partial is withdrawn', () => {
    const state = after(
      started({ language: 'en' }),
      { type: 'speech-started', atMs: 1_500 },
      { type: 'words', text: "you've reached", final: false, atMs: 1_900 },
      { type: 'words', text: 'Eve Richard', final: true, atMs: 2_300 },
      { type: 'speech-ended', atMs: 2_200 },
    );
    expect(settled(state)).toMatchObject({ kind: 'human', atMs: 2_700 });
  });

  it('decides at once when the words of a finished greeting arrive late', () => {
    const state = after(started({ language: 'nl' }), ...speech(1_500, 4_500), {
      type: 'words',
      text: 'je bent verbonden met Kees',
      final: true,
      atMs: 5_300,
    });
    expect(state.verdict).toEqual({ kind: 'voicemail', atMs: 5_300, waitForBeep: true });
  });

  it('waits at most four seconds after the answer for a sound', () => {
    expect(verdictDueAtMs(started())).toBe(5_000);
    expect(stepAmd(started(), { type: 'tick', atMs: 4_999 }).verdict).toBeNull();
    const silent = stepAmd(started(), { type: 'tick', atMs: 5_000 });
    expect(silent.verdict).toEqual({ kind: 'silence', atMs: 5_000, waitForBeep: false });
    expect(verdictDueAtMs(silent)).toBeNull();
  });

  it('applies what was due before a later event', () => {
    expect(stepAmd(started(), { type: 'speech-started', atMs: 5_200 }).verdict).toMatchObject({
      kind: 'silence',
      atMs: 5_000,
    });
  });

  it('decides for a voicemail at a beep and then does not wait for one', () => {
    const verdict = { kind: 'voicemail', atMs: 1_800, waitForBeep: false };
    expect(stepAmd(started(), { type: 'beep', atMs: 1_800 }).verdict).toEqual(verdict);
    const later = after(started(), ...speech(1_500, 1_700), { type: 'beep', atMs: 1_800 });
    expect(later.verdict).toEqual(verdict);
  });

  it('keeps its verdict and notes the awaited beep of a voicemail', () => {
    const owed = after(started(), { type: 'speech-started', atMs: 1_500 }, { type: 'tick', atMs: 6_000 });
    expect(stepAmd(owed, { type: 'beep', atMs: 9_000 }).verdict).toEqual({
      kind: 'voicemail',
      atMs: 6_000,
      waitForBeep: false,
    });
    const human = after(started(), ...speech(1_500, 2_000), { type: 'tick', atMs: 2_500 });
    const later = after(
      human,
      { type: 'beep', atMs: 3_000 },
      { type: 'words', text: 'leave a message', final: true, atMs: 3_100 },
    );
    expect(later.verdict).toEqual({ kind: 'human', atMs: 2_500, waitForBeep: false });
  });

  it('uses the words alone when no sound was detected', () => {
    const words = (text: string, final: boolean, atMs: number): AmdEvent => ({
      type: 'words',
      text,
      final,
      atMs,
    });
    const state = after(started({ language: 'en' }), words('hello', false, 1_800), words('hello there', true, 2_100));
    expect(settled(state)).toEqual({ kind: 'human', atMs: 2_600, waitForBeep: false });
  });

  it('applies its settings', () => {
    expect(verdictDueAtMs(started({ silenceMs: 7_000 }))).toBe(8_000);
    expect(settled(after(started({ pauseMs: 900 }), ...speech(1_500, 2_000))).atMs).toBe(2_900);
    expect(settled(after(started({ longGreetingMs: 3_000 }), { type: 'speech-started', atMs: 1_500 })).atMs).toBe(
      4_500,
    );
    expect(settled(after(started({ shortGreetingMs: 100, longPauseMs: 2_000 }), ...speech(1_500, 2_000))).atMs).toBe(
      4_000,
    );
  });

  it.each(adversarialPieces)('takes linear time for repeated %s', (_, piece) => {
    expectLinear(piece, (text) =>
      after(started({ language: 'nl' }), { type: 'words', text, final: true, atMs: 1_500 }),
    );
  });
});
