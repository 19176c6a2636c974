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

type Row = readonly [string, AmdVerdict['kind'], number, string];

const greetings: readonly Row[] = [
  ['en', 'human', 600, 'Hello?'],
  ['en', 'human', 900, 'Hi, this is Mary.'],
  ['en', 'human', 1_200, 'Yeah, John speaking.'],
  ['en', 'human', 700, 'Smith residence'],
  ['en', 'human', 2_400, 'Good morning, Acme Plumbing, this is Sue.'],
  ['en', 'human', 3_800, 'Good morning, thank you for calling Acme Plumbing, how can I help you?'],
  ['en', 'human', 5_500, 'Good afternoon, how can I help you today, my name is Sue and I am from Acme Plumbing'],
  ['en', 'human', 6_000, 'Thank you for calling Acme Plumbing in New York this is Sue how may I help you?'],
  ['en', 'human', 2_400, 'Thank you for calling Acme.'],
  ['en', 'ivr', 12_000, 'Thank you for calling Acme, the home of all your garden and kitchen needs since 1950'],
  ['en', 'human', 1_100, "Hello, who's calling please?"],
  ['en', 'human', 2_000, 'Hello? Hello, is anybody there?'],
  ['en', 'human', 3_000, 'Sorry the kids are loud hold that thought yes hello'],
  ['en', 'voicemail', 5_000, 'Hi, this is Mary. Please leave a message after the tone.'],
  ['en', 'voicemail', 2_300, 'Leave a message.'],
  ['en', 'voicemail', 2_200, "You've reached Mary Smith."],
  ['en', 'voicemail', 3_200, 'The person you are trying to reach is not available.'],
  ['en', 'voicemail', 6_000, 'Your call has been forwarded to an automatic voice message system.'],
  ['en', 'voicemail', 4_000, "Hey, I can't come to the phone right now."],
  ['en', 'voicemail', 4_000, 'Hi, you have reached the voicemail of John.'],
  ['en', 'voicemail', 4_000, 'At the tone, please record your message. When finished, press one for more options.'],
  ['en', 'voicemail', 4_000, 'The mailbox is full and cannot accept messages.'],
  ['en', 'voicemail', 7_000, 'Our family is skiing in the mountains this week and we will all be gone until Sunday'],
  [
    'en',
    'screening',
    5_000,
    "Hi, if you record your name and reason for calling, I'll see if this person is available.",
  ],
  ['en', 'screening', 6_000, "Hi, the person you're calling is using a screening service from Google."],
  ['en', 'screening', 6_000, 'Go ahead and say your name and why you are calling.'],
  ['en', 'ivr', 5_000, 'You have reached Acme. For sales, press one.'],
  ['en', 'ivr', 5_000, 'Thank you for calling Acme. Please listen as our menu has changed.'],
  ['en', 'ivr', 3_000, 'For billing, press 2.'],
  ['en', 'ivr', 4_000, 'This call may be recorded for quality purposes.'],
  ['en', 'ivr', 4_000, 'The number you have dialed is not in service.'],
  ['nl', 'human', 800, 'Met Jansen.'],
  ['nl', 'human', 500, 'Hallo?'],
  ['nl', 'human', 1_200, 'Goedemorgen, met Piet de Vries.'],
  ['nl', 'human', 400, 'Ja?'],
  ['nl', 'human', 900, 'Met wie spreek ik?'],
  ['nl', 'human', 4_200, 'Goedemiddag, installatiebedrijf De Boer, u spreekt met Anna, waarmee kan ik u helpen?'],
  ['nl', 'human', 2_000, 'Ja hallo, met mevrouw Bakker'],
  ['nl', 'voicemail', 5_000, 'Dit is de voicemail van Jan Jansen.'],
  ['nl', 'voicemail', 5_000, 'Ik ben er even niet, spreek een bericht in na de piep.'],
  ['nl', 'voicemail', 2_400, 'Spreek in na de toon.'],
  ['nl', 'voicemail', 2_400, 'De abonnee is momenteel niet bereikbaar.'],
  ['nl', 'voicemail', 2_000, 'Je bent verbonden met Kees.'],
  ['nl', 'voicemail', 4_000, 'Ik kan nu niet opnemen, laat een boodschap achter.'],
  ['nl', 'voicemail', 4_000, 'The person you are calling is not available. Please leave a message.'],
  ['nl', 'screening', 4_000, 'Zeg uw naam en waarom u belt.'],
  [
    'nl',
    'screening',
    4_000,
    'Als je je naam en de reden van je oproep inspreekt, kijk ik of deze persoon beschikbaar is.',
  ],
  ['nl', 'ivr', 5_000, 'Welkom bij de gemeente. Voor paspoorten, toets één.'],
  ['nl', 'ivr', 5_000, 'U bent verbonden met Acme. Kies 1 voor verkoop.'],
  ['nl', 'ivr', 4_000, 'Al onze medewerkers zijn in gesprek.'],
  ['nl', 'ivr', 3_000, 'Dit nummer is niet in gebruik.'],
  ['nl', 'human', 1_500, 'Ja, kies maar wat, hallo'],
  ['de', 'voicemail', 4_000, 'Bitte hinterlassen Sie eine Nachricht nach dem Signalton.'],
  ['fr', 'voicemail', 4_000, 'Laissez un message après le bip.'],
  ['es', 'voicemail', 4_000, 'Deje su mensaje después de la señal.'],
  ['it', 'voicemail', 4_000, 'Lasciate un messaggio dopo il segnale acustico.'],
  ['it', 'ivr', 4_000, 'Per informazioni prema uno.'],
  ['pt', 'voicemail', 4_000, 'Deixe a sua mensagem após o sinal.'],
  ['ru', 'voicemail', 4_000, 'Оставьте сообщение после сигнала.'],
  ['ru', 'ivr', 4_000, 'Оставайтесь на линии, ваш звонок очень важен для нас.'],
];

describe('answering-machine detection', () => {
  it.each(greetings)('recognizes (%s) a %s in %i ms: %s', (language, kind, lengthMs, text) => {
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
