import { defaultTurnPolicy, speechConfigSchema, type TurnPolicy, type TurnSituation } from '@va/core';
import { saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { endpointingDelays } from '../../../src/domain/agents/speech/endpointing-presets.ts';
import { phoneCalls } from '../../support/phone-calls.ts';

const { ring } = phoneCalls();

type Endpointing = NonNullable<z.input<typeof speechConfigSchema>['endpointing']>;

function settingsOf(endpointing: Endpointing): TurnSituation['settings'] {
  return speechConfigSchema.parse({ endpointing });
}

interface Situation {
  readonly user?: Partial<TurnSituation['user']>;
  readonly agent?: Partial<TurnSituation['agent']>;
  readonly endpointing?: Endpointing;
  readonly isRealtime?: boolean;
}

/** Takes a situation from a call whose caller has just fallen silent. */
async function pause(): Promise<TurnSituation> {
  const seen: TurnSituation[] = [];
  const { end } = defaultTurnPolicy;
  const watched: TurnPolicy['end'] = {
    ...end,
    endsAtMs(paused) {
      seen.push(paused);
      return end.endsAtMs(paused);
    },
  };
  const call = await ring({
    stt: scriptedStt({ turns: ['a table for two'] }),
    llm: scriptedLlm([saying('Yes.')]),
    service: { turnPolicy: { end: watched } },
  });
  await call.speak(600);
  await call.quiet(1_000);
  const [situation] = seen.slice(-1);
  if (situation === undefined) throw new Error('the caller never paused');
  return situation;
}

const situation = await pause();

/** Returns how long the default policy waits after the last word, in milliseconds. */
function delayMs({ user, agent, endpointing = {}, isRealtime = false }: Situation): number {
  const words = {
    kind: 'ending',
    text: 'a table for two',
    lastSpeechAtMs: 0,
    tail: null,
    learnedPauseMs: null,
    endProbability: null,
  } as const;
  const endsAtMs = defaultTurnPolicy.end.endsAtMs({
    ...situation,
    settings: settingsOf(endpointing),
    isRealtime,
    user: { ...situation.user, ...words, ...user },
    agent: { ...situation.agent, asked: null, ...agent },
  });
  return endsAtMs ?? Number.NaN;
}

const open = { completeness: 'open', isCompleteByWords: false, hasMarks: true } as const;
const marked = { completeness: 'complete', isCompleteByWords: false } as const;
const whole = { completeness: 'complete', isCompleteByWords: true } as const;
const fading = { pitchChangeSt: -8, levelChangeDb: -12, lastVoicedMs: 200 };
const level = { pitchChangeSt: 0, levelChangeDb: 0, lastVoicedMs: 200 };

describe('the wait after words that may be whole', () => {
  it('is shorter after a full stop, and shortest after words that are complete without one', () => {
    const delays = [whole, marked, open].map((user) => delayMs({ user }));
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(new Set(delays).size).toBe(3);
  });

  it('is as short without marks as with one, if the recognizer sets none', () => {
    expect(delayMs({ user: { ...open, hasMarks: false } })).toBe(delayMs({ user: marked }));
  });

  it('stays within the delays of the settings', () => {
    const { minMs, openMs } = endpointingDelays(settingsOf({}).endpointing);
    for (const user of [whole, marked, open]) {
      for (const tail of [null, fading, level]) {
        for (const asked of [null, 'yesNo', 'details', 'name', 'other'] as const) {
          const ms = delayMs({ user: { ...user, tail }, agent: { asked } });
          expect(ms).toBeGreaterThanOrEqual(minMs);
          expect(ms).toBeLessThanOrEqual(openMs);
        }
      }
    }
  });

  it('is shorter when the voice fades, and longer when it keeps its level', () => {
    const unknown = delayMs({ user: { ...marked, tail: { pitchChangeSt: null, levelChangeDb: 0, lastVoicedMs: 0 } } });
    expect(delayMs({ user: { ...marked, tail: fading } })).toBeLessThan(unknown);
    expect(delayMs({ user: { ...marked, tail: level } })).toBeGreaterThan(unknown);
    expect(unknown).toBe(delayMs({ user: marked }));
  });

  it('does not depend on the voice with weight 0', () => {
    const endpointing = { weights: { prosody: 0 } };
    expect(delayMs({ user: { ...marked, tail: fading }, endpointing })).toBe(delayMs({ user: marked, endpointing }));
  });

  it('is shorter after the answer to a yes-or-no question', () => {
    expect(delayMs({ user: marked, agent: { asked: 'yesNo' } })).toBeLessThan(delayMs({ user: marked }));
  });

  it('is longer after details that may continue', () => {
    expect(delayMs({ user: marked, agent: { asked: 'details' } })).toBeGreaterThan(delayMs({ user: marked }));
  });

  it('is longer after one word of a name than after two', () => {
    const nameOf = (text: string): number => delayMs({ user: { ...marked, text }, agent: { asked: 'name' } });
    expect(nameOf('Anna')).toBeGreaterThan(nameOf('Anna Smith'));
  });

  it('is longer after the beginning of a sentence without its main clause', () => {
    expect(delayMs({ user: { ...marked, isOpening: true } })).toBeGreaterThan(delayMs({ user: marked }));
  });

  it('is longer after an answer that also opens a clause, such as "si", unless it follows a question', () => {
    const si = { ...whole, text: 'si', isOpening: true };
    expect(delayMs({ user: si })).toBeGreaterThan(delayMs({ user: { ...whole, text: 'yes' } }));
    expect(delayMs({ user: si, agent: { asked: 'yesNo' } })).toBe(delayMs({ user: { ...whole, text: 'yes' } }));
    expect(delayMs({ user: { ...si, text: 'on Sunday too?' } })).toBe(delayMs({ user: { ...whole, text: 'yes' } }));
  });

  it('is longer after two words than after ten, if they answer no question', () => {
    const after = (text: string): number => delayMs({ user: { ...marked, text } });
    expect(after('I am sorry that I have to ask you again')).toBeLessThan(after('I am sorry'));
    expect(after('I am sorry')).toBeLessThan(after('So sorry'));
  });

  it('is shorter the higher the turn model rates the end, unless its weight is 0', () => {
    const after = (endProbability: number | null): number => delayMs({ user: { ...marked, endProbability } });
    expect(after(1)).toBeLessThan(after(0.8));
    expect(after(0.8)).toBeLessThan(after(null));
    expect(after(null)).toBeLessThan(after(0.1));
    expect(after(0)).toBeGreaterThanOrEqual(after(0.1));
    const endpointing = { weights: { turn_model: 0 } };
    expect(delayMs({ user: { ...marked, endProbability: 1 }, endpointing })).toBe(after(null));
  });

  it('is longer when the pitch rises', () => {
    const after = (pitchChangeSt: number): number =>
      delayMs({ user: { ...marked, tail: { ...level, pitchChangeSt } } });
    expect(after(4)).toBeGreaterThan(after(0));
  });

  it('covers the pauses of a caller who pauses often, unless the words are complete', () => {
    const learnedPauseMs = 1_200;
    expect(delayMs({ user: { ...open, learnedPauseMs } })).toBe(1_440);
    expect(delayMs({ user: { ...whole, learnedPauseMs } })).toBe(delayMs({ user: whole }));
    expect(delayMs({ user: { ...open, learnedPauseMs }, endpointing: { weights: { pauses: 0 } } })).toBe(
      delayMs({ user: open }),
    );
  });
});

describe('the wait after speech without words', () => {
  it('is the minimum, because it was a noise', () => {
    expect(delayMs({ user: { ...open, text: '' } })).toBe(endpointingDelays(settingsOf({}).endpointing).minMs);
  });

  it('follows the voice for a speech-to-speech model, which reports the words later', () => {
    const after = (tail: typeof level): number => delayMs({ user: { ...open, text: '', tail }, isRealtime: true });
    const { minMs, openMs } = endpointingDelays(settingsOf({}).endpointing);
    expect(after(fading)).toBeLessThan(after(level));
    expect(delayMs({ user: { ...open, text: '' }, isRealtime: true })).toBe(Math.round((minMs + openMs) / 2));
  });
});

describe('the wait after other words', () => {
  it('is that of the preset after unfinished words, and a fifth longer while the caller spells', () => {
    const { unfinishedMs } = endpointingDelays(settingsOf({}).endpointing);
    expect(delayMs({ user: { completeness: 'unfinished' } })).toBe(unfinishedMs);
    expect(delayMs({ user: { completeness: 'spelling' } })).toBe(unfinishedMs * 1.2);
  });

  it('is the maximum while the recognizer has not answered', () => {
    expect(delayMs({ user: { ...whole, awaitsWords: true } })).toBe(3_000);
  });

  it('is the minimum in fixed mode', () => {
    expect(delayMs({ user: { completeness: 'unfinished' }, endpointing: { mode: 'fixed', min_delay_ms: 400 } })).toBe(
      400,
    );
  });
});

describe('the delays of a preset', () => {
  it('grow from quick to patient', () => {
    const delays = (['quick', 'balanced', 'patient'] as const).map((preset) =>
      endpointingDelays(settingsOf({ preset }).endpointing),
    );
    for (const key of ['minMs', 'openMs', 'unfinishedMs', 'maxMs'] as const) {
      const values = delays.map((each) => each[key]);
      expect(values).toEqual([...values].sort((a, b) => a - b));
    }
  });

  it.each([
    [{ min_delay_ms: 2_000 }, { minMs: 2_000, openMs: 2_000, unfinishedMs: 2_000, maxMs: 3_000 }],
    [{ min_delay_ms: 5_000 }, { minMs: 5_000, openMs: 5_000, unfinishedMs: 5_000, maxMs: 5_000 }],
    [{ max_delay_ms: 100 }, { minMs: 100, openMs: 100, unfinishedMs: 100, maxMs: 100 }],
    [{ open_delay_ms: 700 }, { openMs: 700 }],
  ])('are overridden by %j', (endpointing, expected) => {
    expect(endpointingDelays(settingsOf(endpointing).endpointing)).toMatchObject(expected);
  });

  it.each([
    [{ min_delay_ms: 500, max_delay_ms: 400 }],
    [{ min_delay_ms: 900, open_delay_ms: 800 }],
    [{ unfinished_delay_ms: 4_000 }],
  ])('refuse %j, in which delays contradict each other', (endpointing) => {
    expect(() => settingsOf(endpointing)).toThrow('must not be below the other delays');
  });
});
