import { decodeG711 } from '@va/media';
import { type ScriptedTts, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type TtsConfig, ttsConfigSchema } from '../../src/domain/agents/agent.ts';
import { ProviderError } from '../../src/errors.ts';
import type { TextToSpeech, TtsEvent, TtsUtterance } from '../../src/ports/providers/text-to-speech.ts';
import type { Link, Links } from '../../src/providers/link.ts';
import { type SynthesizerChainDependencies, synthesizerChain } from '../../src/providers/synthesizer-chain.ts';
import { type ChainParts, chainParts, readAll } from './support.ts';

const down = new ProviderError('first', 'unavailable', 'service unavailable');

function linkOf(provider: TextToSpeech): Link<TextToSpeech, TtsConfig> {
  return { provider, config: ttsConfigSchema.parse({ provider: provider.id }) };
}

function linksOf(first: TextToSpeech, ...others: TextToSpeech[]): Links<TextToSpeech, TtsConfig> {
  return [linkOf(first), ...others.map(linkOf)];
}

function depsOf(parts: ChainParts): SynthesizerChainDependencies {
  return { ...parts, encoding: 'pcmu', signal: new AbortController().signal };
}

/** Creates a synthesizer that fails every text before its first audio. */
function silentlyFailing(id: string, error: Error = down): ScriptedTts {
  return scriptedTts({ id, msPerLetter: 0, breakAt: () => error });
}

async function speak(
  utterance: TtsUtterance,
  parts: ChainParts,
  ...texts: string[]
): Promise<{ events: TtsEvent[]; error: unknown }> {
  const reading = readAll(utterance);
  for (const text of texts) {
    utterance.push(text);
    await parts.clock.advance(10);
  }
  utterance.end();
  await parts.clock.advance(30_000);
  return await reading;
}

/** Returns the byte values of the audio, with consecutive repeats removed. */
function codesOf(events: readonly TtsEvent[]): number[] {
  const codes = events.flatMap((event) => (event.type === 'audio' ? [...event.audio] : []));
  return codes.filter((code, i) => code !== codes[i - 1]);
}

function wordsOf(events: readonly TtsEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'words' ? event.words.map(({ text }) => text) : []));
}

describe('a chain of synthesizers', () => {
  it('with a single provider is the session of that provider', () => {
    const session = { speak: () => fixedAudio(new Uint8Array(0)), close() {} };
    const provider: TextToSpeech = { ...scriptedTts(), open: () => session };
    expect(synthesizerChain(linksOf(provider), depsOf(chainParts()))).toBe(session);
  });

  it('with a single provider throws its error', () => {
    const provider: TextToSpeech = {
      ...scriptedTts(),
      open() {
        throw down;
      },
    };
    expect(() => synthesizerChain(linksOf(provider), depsOf(chainParts()))).toThrow(down);
  });

  it('falls back when a text yields no audio, and speaks the whole utterance again', async () => {
    const parts = chainParts();
    const first = scriptedTts({ id: 'first', msPerLetter: 0, breakAt: (text) => (text === 'Bye.' ? down : null) });
    const second = scriptedTts({ id: 'second', code: 0x22 });
    const session = synthesizerChain(linksOf(first, second), depsOf(parts));
    const { events, error } = await speak(session.speak(), parts, 'Hello there.', 'Bye.', 'Now.');
    expect(error).toBeNull();
    expect(second.utterances).toEqual([['Hello there.', 'Bye.', 'Now.']]);
    expect(wordsOf(events)).toEqual(['Hello', 'there.', 'Bye.', 'Now.']);
    expect(codesOf(events)).toEqual([0x22]);
    expect(first.cancelled.has(0)).toBe(true);
    expect(parts.warnings).toEqual(['first']);
    expect(parts.clock.pending).toBe(0);
  });

  it('counts a text without audio as a failure, and an utterance without text as a success', async () => {
    const parts = chainParts();
    const second = scriptedTts({ id: 'second', code: 0x22 });
    const session = synthesizerChain(linksOf(scriptedTts({ id: 'first', msPerLetter: 0 }), second), depsOf(parts));
    const { events } = await speak(session.speak(), parts, 'Hello.');
    expect([wordsOf(events), codesOf(events)]).toEqual([['Hello.'], [0x22]]);
    expect((await speak(session.speak(), parts)).error).toBeNull();
  });

  it('limits the wait for the first audio of a text, and then falls back', async () => {
    const parts = chainParts();
    const [first, second] = [scriptedTts({ id: 'first', delayMs: 20_000 }), scriptedTts({ id: 'second', code: 0x22 })];
    const session = synthesizerChain(linksOf(first, second), depsOf(parts));
    const utterance = session.speak();
    await parts.clock.advance(60_000);
    utterance.push('Hello.');
    await parts.clock.advance(4_999);
    expect(second.utterances).toEqual([]);
    await parts.clock.advance(1);
    expect(second.utterances).toEqual([['Hello.']]);
    utterance.end();
    expect(codesOf((await readAll(utterance)).events)).toEqual([0x22]);
  });

  it('passes on a failure after some audio as retryable, and retries at the next provider', async () => {
    const parts = chainParts();
    const quota = new ProviderError('first', 'quota', 'out of credit');
    const first = scriptedTts({ id: 'first', code: 0x11, breakAt: () => quota });
    const second = scriptedTts({ id: 'second', code: 0x22 });
    const session = synthesizerChain(linksOf(first, second), depsOf(parts));
    const broken = await speak(session.speak(), parts, 'Hello.');
    expect(codesOf(broken.events)).toEqual([0x11]);
    expect(broken.error).toMatchObject({ provider: 'first', retryable: true });
    const rest = await speak(session.speak(), parts, 'Hello.');
    expect([codesOf(rest.events), rest.error]).toEqual([[0x22], null]);
    await speak(session.speak(), parts, 'More.');
    expect([first.utterances.length, second.utterances.length]).toEqual([1, 2]);
  });

  it('fails with the last error when no provider speaks', async () => {
    const parts = chainParts();
    const last = new ProviderError('second', 'auth', 'invalid API key');
    const session = synthesizerChain(linksOf(silentlyFailing('first'), silentlyFailing('second', last)), depsOf(parts));
    expect(await speak(session.speak(), parts, 'Hello.')).toEqual({ events: [], error: last });
  });

  it('skips a provider that fails in every call', async () => {
    const parts = chainParts({ circuit: { failures: 2 } });
    const first = silentlyFailing('first');
    const second = scriptedTts({ id: 'second', code: 0x22 });
    for (let call = 0; call < 4; call++) {
      const session = synthesizerChain(linksOf(first, second), depsOf(parts));
      const utterance = session.speak();
      utterance.push('Hello.');
      utterance.end();
      expect(codesOf((await readAll(utterance)).events)).toEqual([0x22]);
      session.close();
    }
    expect(first.utterances).toHaveLength(2);
    expect([first.openSessions, second.openSessions]).toEqual([0, 0]);
  });

  it('opens the next provider when the first cannot be opened, and no further ones', async () => {
    const parts = chainParts();
    const shut: TextToSpeech = {
      ...scriptedTts({ id: 'first' }),
      open() {
        throw down;
      },
    };
    const [second, third] = [scriptedTts({ id: 'second', code: 0x22 }), scriptedTts({ id: 'third' })];
    const session = synthesizerChain(linksOf(shut, second, third), depsOf(parts));
    expect(codesOf((await speak(session.speak(), parts, 'Hello.')).events)).toEqual([0x22]);
    expect(third.openSessions).toBe(0);
  });

  it('emits nothing after a cancellation, and does not count it as a failure', async () => {
    const parts = chainParts({ circuit: { failures: 1 } });
    const first = scriptedTts({ id: 'first', delayMs: 1_000 });
    const session = synthesizerChain(linksOf(first, scriptedTts({ id: 'second' })), depsOf(parts));
    const utterance = session.speak();
    const reading = readAll(utterance);
    utterance.push('Hello.');
    await parts.clock.advance(500);
    utterance.cancel();
    utterance.cancel();
    await parts.clock.advance(10_000);
    expect(await reading).toEqual({ events: [], error: null });
    expect(first.cancelled.has(0)).toBe(true);
    expect(parts.warnings).toEqual([]);
    expect(parts.clock.pending).toBe(0);
  });

  it('returns audio in the encoding of the leg for every provider format', async () => {
    const parts = chainParts();
    const samples = Int16Array.from({ length: 4_800 }, (_, i) =>
      Math.round(8_000 * Math.sin((2 * Math.PI * 500 * i) / 24_000)),
    );
    const wide: TextToSpeech = {
      kind: 'tts',
      id: 'wide',
      formats: [{ encoding: 'pcm16', sampleRateHz: 24_000 }],
      open: () => ({ speak: () => fixedAudio(new Uint8Array(samples.buffer)), close() {} }),
    };
    const alone = await speak(synthesizerChain(linksOf(wide), depsOf(parts)).speak(), parts, 'Hello.');
    const chained = await speak(
      synthesizerChain(linksOf(silentlyFailing('first'), wide), depsOf(parts)).speak(),
      parts,
      'Hello.',
    );
    const [audio] = alone.events.flatMap((event) => (event.type === 'audio' ? [event.audio] : []));
    expect(chained.events).toEqual(alone.events);
    expect(audio?.length).toBeGreaterThan(1_500);
    expect(audio?.length).toBeLessThanOrEqual(1_600);
    expect(Math.max(...decodeG711('pcmu', audio ?? new Uint8Array(0)))).toBeGreaterThan(7_000);
  });
});

function fixedAudio(audio: Uint8Array): TtsUtterance {
  return {
    push() {},
    end() {},
    cancel() {},
    async *[Symbol.asyncIterator]() {
      yield { type: 'audio', audio };
    },
  };
}
