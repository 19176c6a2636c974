import { scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type TtsConfig, ttsConfigSchema } from '../../src/domain/agents/agent.ts';
import { ProviderError } from '../../src/errors.ts';
import type { TextToSpeech, TtsEvent } from '../../src/ports/providers/text-to-speech.ts';
import { FixedSpeechCache, type Synthesizer } from '../../src/providers/fixed-speech.ts';
import type { Links } from '../../src/providers/link.ts';
import { synthesizerChain } from '../../src/providers/synthesizer-chain.ts';
import { type ChainParts, chainParts, readAll } from './support.ts';

const down = new ProviderError('first', 'unavailable', 'service unavailable');

interface CallOptions {
  readonly parts?: ChainParts;
  readonly config?: Record<string, unknown>;
  readonly encoding?: 'pcmu' | 'pcma';
}

/** Opens the speech session of one call. */
function session(cache: FixedSpeechCache, providers: readonly TextToSpeech[], options: CallOptions = {}): Synthesizer {
  const { parts = chainParts(), config = {}, encoding = 'pcmu' } = options;
  const [first, ...others] = providers.map((provider) => ({
    provider,
    config: ttsConfigSchema.parse({ provider: provider.id, ...config }),
  }));
  if (first === undefined) throw new Error('expected at least one provider');
  const links: Links<TextToSpeech, TtsConfig> = [first, ...others];
  return synthesizerChain(links, { ...parts, encoding, signal: new AbortController().signal, fixedSpeech: cache });
}

async function say(
  speech: Synthesizer,
  ...texts: string[]
): Promise<{ audio: Buffer; words: string[]; error: unknown }> {
  const utterance = speech.speak({ fixed: true });
  for (const text of texts) utterance.push(text);
  utterance.end();
  const { events, error } = await readAll(utterance);
  return { ...heard(events), error };
}

function heard(events: readonly TtsEvent[]): { audio: Buffer; words: string[] } {
  return {
    audio: Buffer.concat(events.flatMap((event) => (event.type === 'audio' ? [event.audio] : []))),
    words: events.flatMap((event) =>
      event.type === 'words' ? event.words.map(({ text, endMs }) => `${text} ${endMs}`) : [],
    ),
  };
}

describe('a fixed sentence that is synthesized ahead', () => {
  /** `isReady` becomes true once the sentence can be played. */
  function ahead(speech: Synthesizer, ...texts: string[]): { isReady: () => boolean } {
    let isReady = false;
    void speech.prepare?.(texts).then(() => {
      isReady = true;
    });
    return { isReady: () => isReady };
  }

  it('is ready with its first audio and is synthesized only once', async () => {
    const parts = chainParts();
    const tts = scriptedTts({ delayMs: 300 });
    const speech = session(new FixedSpeechCache(), [tts], { parts });
    const { isReady } = ahead(speech, 'Hello there.', 'How are you?');
    await parts.clock.advance(290);
    expect(isReady()).toBe(false);
    const saying = say(speech, 'Hello there.', 'How are you?');
    await parts.clock.advance(20);
    expect(isReady()).toBe(true);
    const { audio, words, error } = await saying;
    expect([audio.length > 0, words.length, error]).toEqual([true, 5, null]);
    expect(tts.utterances).toHaveLength(1);
    await say(speech, 'Hello there.', 'How are you?');
    expect(tts.utterances).toHaveLength(1);
  });

  it('is not used for a different sentence', async () => {
    const parts = chainParts();
    const tts = scriptedTts();
    const speech = session(new FixedSpeechCache(), [tts], { parts });
    ahead(speech, 'Hello there.');
    await say(speech, 'Good evening.');
    expect(tts.utterances).toEqual([['Hello there.'], ['Good evening.']]);
  });

  it('becomes ready when the synthesis fails, and is synthesized again when it is spoken', async () => {
    let broke = false;
    const breakAt = (): Error | null => {
      if (broke) return null;
      broke = true;
      return down;
    };
    const parts = chainParts();
    const speech = session(new FixedSpeechCache(), [scriptedTts({ breakAt })], { parts });
    const { isReady } = ahead(speech, 'Hello there.');
    await parts.clock.advance(10);
    expect(isReady()).toBe(true);
    expect(await say(speech, 'Hello there.')).toMatchObject({ error: null, words: ['Hello 250', 'there. 600'] });
  });

  it('is cancelled with the session, and with the utterance that speaks it', async () => {
    const parts = chainParts();
    const tts = scriptedTts({ delayMs: 300 });
    const speech = session(new FixedSpeechCache(), [tts], { parts });
    const first = ahead(speech, 'Hello there.');
    const utterance = speech.speak({ fixed: true });
    utterance.push('Hello there.');
    utterance.end();
    utterance.cancel();
    expect(tts.cancelled).toEqual(new Set([0]));
    const second = ahead(speech, 'Good evening.');
    speech.close();
    await parts.clock.advance(10);
    expect(tts.cancelled).toEqual(new Set([0, 1]));
    expect([first.isReady(), second.isReady()]).toEqual([true, true]);
  });
});

describe('a fixed sentence', () => {
  it('is synthesized once and then replayed with the same audio and word times', async () => {
    const cache = new FixedSpeechCache();
    const tts = scriptedTts();
    const first = await say(session(cache, [tts]), 'Hello there.', 'How are you?');
    const again = await say(session(cache, [tts]), 'Hello there.', 'How are you?');
    expect(again).toEqual(first);
    expect(first.audio.length).toBeGreaterThan(0);
    expect(first.words).toHaveLength(5);
    expect(tts.utterances).toHaveLength(1);
    expect(cache.bytes).toBeGreaterThan(first.audio.length);
  });

  it('is cached per text, voice, settings and encoding', async () => {
    const cache = new FixedSpeechCache();
    const tts = scriptedTts();
    await say(session(cache, [tts]), 'Hello.');
    await say(session(cache, [tts], { config: { voiceId: 'other' } }), 'Hello.');
    await say(session(cache, [tts], { encoding: 'pcma' }), 'Hello.');
    await say(session(cache, [scriptedTts({ id: 'another' })]), 'Hello.');
    await say(session(cache, [tts]), 'Hello!');
    expect(tts.utterances).toHaveLength(4);
  });

  it('is cached separately for each organization with its own key', async () => {
    const cache = new FixedSpeechCache();
    const tts = scriptedTts();
    const own = (orgId: string): CallOptions => ({ parts: { ...chainParts({ keys: { scripted: orgId } }), orgId } });
    const host = (orgId: string): CallOptions => ({ parts: { ...chainParts(), orgId } });
    for (const options of [own('a'), own('b'), host('a'), host('b'), own('a')]) {
      await say(session(cache, [tts], options), 'Hello.');
    }
    expect(tts.utterances).toHaveLength(3);
  });

  it('is not cached when it was cancelled or failed', async () => {
    const cache = new FixedSpeechCache();
    const cutOff = session(cache, [scriptedTts()]).speak({ fixed: true });
    cutOff.push('Hello.');
    cutOff.end();
    cutOff.cancel();
    expect((await readAll(cutOff)).events).toEqual([]);
    expect((await say(session(cache, [scriptedTts({ breakAt: () => down })]), 'Hello.')).error).toBe(down);
    await new Promise(setImmediate);
    expect(cache.bytes).toBe(0);
  });

  it('is not cached for a failed voice when a fallback spoke it', async () => {
    const cache = new FixedSpeechCache();
    const broken = scriptedTts({ id: 'first', msPerLetter: 0, breakAt: () => down });
    const first = scriptedTts({ id: 'first', code: 0x11 });
    const second = scriptedTts({ id: 'second', code: 0x22 });
    const spoken = await say(session(cache, [broken, second]), 'Hello.');
    const later = await say(session(cache, [first, second]), 'Hello.');
    expect([spoken.audio[0], later.audio[0]]).toEqual([0x22, 0x11]);
  });

  it('is not mixed up when it is requested twice at the same time', async () => {
    const cache = new FixedSpeechCache();
    const parts = chainParts();
    const tts = scriptedTts({ delayMs: 100 });
    const saying = [1, 2].map(() => say(session(cache, [tts], { parts }), 'Hello there.', 'Bye.'));
    await parts.clock.advance(1_000);
    const [one, two] = await Promise.all(saying);
    expect(one).toEqual(two);
    expect(await say(session(cache, [tts], { parts }), 'Hello there.', 'Bye.')).toEqual(one);
    expect(tts.utterances.length).toBeLessThanOrEqual(2);
  });

  it('is played from the cache while the provider is down', async () => {
    const cache = new FixedSpeechCache();
    let isDown = false;
    const tts = scriptedTts({ breakAt: () => (isDown ? down : null) });
    const first = await say(session(cache, [tts]), 'Hello.');
    isDown = true;
    expect(await say(session(cache, [tts]), 'Hello.')).toEqual(first);
  });
});

describe('other sentences', () => {
  it('are synthesized by the session as they arrive', () => {
    const tts = scriptedTts();
    const speech = session(new FixedSpeechCache(), [tts]);
    speech.speak().push('Hello.');
    speech.speak().push('Hello.');
    expect(tts.utterances).toEqual([['Hello.'], ['Hello.']]);
    speech.close();
    expect(tts.openSessions).toBe(0);
  });
});

describe('the cache of fixed speech', () => {
  const speech = (bytes: number): { audio: Uint8Array; words: [] } => ({ audio: new Uint8Array(bytes), words: [] });

  it('evicts the least recently used sentences at its size limit', () => {
    const cache = new FixedSpeechCache({ maxBytes: 10_000 });
    for (const key of ['a', 'b', 'c']) cache.keep(key, speech(3_000));
    cache.find('a');
    cache.keep('d', speech(3_000));
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.find(key) !== null)).toEqual(['a', 'c', 'd']);
    expect(cache.bytes).toBeLessThanOrEqual(10_000);
  });

  it('counts each sentence once, and does not keep one larger than the limit', () => {
    const cache = new FixedSpeechCache({ maxBytes: 10_000 });
    cache.keep('a', speech(3_000));
    const { bytes } = cache;
    cache.keep('a', speech(3_000));
    cache.keep('b', speech(20_000));
    expect(cache.bytes).toBe(bytes);
    expect(cache.find('b')).toBeNull();
  });
});
