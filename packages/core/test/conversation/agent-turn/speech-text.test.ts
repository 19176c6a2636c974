import { describe, expect, it } from 'vitest';
import { sentenceEndMs } from '../../../src/conversation/agent-turn/sentence-end.ts';
import {
  addText,
  endText,
  heardOf,
  newSpeech,
  piecesOf,
  splitAtLastAudio,
} from '../../../src/conversation/agent-turn/speech-text.ts';
import type { Speech } from '../../../src/conversation/state/agent/agent-turn.ts';
import { effects } from '../../support/conversation-state.ts';

const reading = { language: 'en', normalize: true, pronunciations: [] };

/** An utterance that gets its text piece by piece. */
function speaking(texts: readonly string[], options: { readonly voiceOf?: number } = {}) {
  const { emit, emitted } = effects();
  const speech = texts.reduce(
    (each, text, at) => addText(each, text, at * 100, emit),
    newSpeech(3, 0, { reading, ...options }),
  );
  return { speech, end: (): Speech => endText(speech, 900, emit), emitted };
}

describe('addText and endText', () => {
  it('open the utterance with the first clause, and end it after the rest', () => {
    const { speech, end, emitted } = speaking(['We are open. ', 'Until', ' nine']);
    expect(emitted).toEqual([
      { type: 'open-utterance', utterance: 3, generation: null, fixed: false },
      { type: 'speak', utterance: 3, text: 'We are open.' },
    ]);
    expect(speech).toMatchObject({ pushed: 'We are open.', firstPushAtMs: 0 });
    expect(end()).toMatchObject({ pushed: 'We are open. Until nine', pending: '', textDone: true, finished: false });
    expect(emitted.slice(2)).toEqual([
      { type: 'speak', utterance: 3, text: 'Until nine' },
      { type: 'end-utterance', utterance: 3 },
    ]);
  });

  it('send the spoken form, and keep the written one', () => {
    const { end, emitted } = speaking(['It costs **5**.']);
    expect(end().pushed).toBe('It costs **5**.');
    expect(emitted).toContainEqual({ type: 'speak', utterance: 3, text: 'It costs five.' });
  });

  it.each([
    ['no text', []],
    ['spaces', ['  ', '\n']],
    ['a lone emoji', ['👍']],
  ])('finish an utterance of %s at once, without opening it', (_what, texts) => {
    const { end, emitted } = speaking(texts);
    expect(end()).toMatchObject({ opened: false, textDone: true, finished: true });
    expect(emitted).toEqual([]);
  });

  it('end an utterance once', () => {
    const { end, emitted } = speaking(['Hello there.']);
    const over = end();
    const count = emitted.length;
    expect(endText(over, 999, () => emitted.push({ type: 'drop-speech' }))).toBe(over);
    expect(emitted).toHaveLength(count);
  });

  it('only note the words of speech that the model synthesizes itself', () => {
    const { end, emitted } = speaking(['It costs', ' **5**'], { voiceOf: 8 });
    expect(end()).toMatchObject({ pushed: 'It costs **5**', textDone: true });
    expect(emitted).toEqual([
      { type: 'open-utterance', utterance: 3, generation: 8, fixed: false },
      { type: 'end-utterance', utterance: 3 },
    ]);
  });
});

describe('piecesOf', () => {
  it('returns what the synthesizer gets of a whole text', () => {
    expect(piecesOf('We are open. Come in.', reading).join(' ')).toBe('We are open. Come in.');
    expect(piecesOf('', reading)).toEqual([]);
  });
});

describe('heardOf', () => {
  const over: Speech = { ...speaking(['It costs 5 euros today.']).end(), audioDone: true, receivedMs: 2_000 };

  it('returns the written text up to what was heard', () => {
    expect(heardOf(over, 2_000)).toBe('It costs 5 euros today.');
    expect(heardOf(over, 0)).toBe('');
    expect('It costs 5 euros today.'.startsWith(heardOf(over, 1_000))).toBe(true);
    expect(heardOf(over, 1_000)).not.toBe('');
  });
});

describe('splitAtLastAudio', () => {
  it('keeps what has audio, and returns the rest for another attempt', () => {
    const failed: Speech = {
      ...speaking(['We are open. ', 'Come in']).speech,
      receivedMs: 500,
      words: [
        { text: 'We', startMs: 0, endMs: 200 },
        { text: 'are', startMs: 200, endMs: 400 },
      ],
    };
    const { sounding, rest } = splitAtLastAudio(failed);
    expect(sounding).toMatchObject({ pushed: 'We are', pending: '', textDone: true, audioDone: true });
    expect(rest).toBe('open. Come in');
  });

  it('returns the whole text if no audio came', () => {
    const { sounding, rest } = splitAtLastAudio(speaking(['We are open. ', 'Come in']).speech);
    expect([sounding.pushed, rest]).toEqual(['', 'We are open. Come in']);
  });
});

describe('sentenceEndMs', () => {
  const text = 'We are open. Come in and sit down. Goodbye.';
  const over: Speech = { ...speaking([text]).end(), audioDone: true, receivedMs: text.length * 100 };

  it.each([
    [100, 'We are open.'],
    [1_500, 'We are open. Come in and sit down.'],
  ])('is at the end of the sentence that is heard after %i ms', (playedMs, heard) => {
    expect(sentenceEndMs(over, playedMs)).toBeCloseTo(heard.length * 100);
  });

  it('is null in the last sentence', () => {
    expect(sentenceEndMs(over, text.length * 100 - 100)).toBeNull();
  });
});
