import { Worker } from 'node:worker_threads';
import { ProviderError, voiceSchema } from '@va/core';
import type { TtsEvent, TtsSession } from '@va/core/adapter';
import { flite, fliteVoices, recognize, synthesize } from '@va/local-speech';
import { decodeG711 } from '@va/media';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { collect, common } from '../options.ts';

const sessions: TtsSession[] = [];
afterEach(() => {
  for (const session of sessions.splice(0)) session.close();
});

type Encoding = 'pcmu' | 'pcma' | 'pcm16';

function open(options: { voiceId?: string; encoding?: Encoding; signal?: AbortSignal } = {}): TtsSession {
  const { voiceId, encoding = 'pcmu', signal } = options;
  const session = flite().open({
    ...common(signal),
    config: { provider: 'flite', voiceId },
    format: { encoding, sampleRateHz: 8_000 },
  });
  sessions.push(session);
  return session;
}

function audioOf(events: readonly TtsEvent[]): Uint8Array {
  return Buffer.concat(events.flatMap((event) => (event.type === 'audio' ? [event.audio] : [])));
}

describe('flite', () => {
  it('lists its voices as local ones', () => {
    const { isLocal, voices = [] } = flite();
    expect(isLocal).toBe(true);
    expect(voices.map(({ id }) => id)).toEqual([...fliteVoices]);
    for (const voice of voices) expect(voiceSchema.parse(voice)).toEqual({ ...voice, provider: 'flite' });
  });

  it.each(fliteVoices)('speaks with the voice %s intelligibly for PocketSphinx', async (voice) => {
    const phrases = ['the weather is fine today', 'please call me back tomorrow', 'we are closed'];
    const utterance = open({ voiceId: voice }).speak();
    utterance.push('Please call me back tomorrow.');
    utterance.end();
    const samples = decodeG711('pcmu', audioOf(await collect(utterance)));
    expect(await recognize(samples, { phrases })).toBe('please call me back tomorrow');
  });

  it.each(['pcma', 'pcm16'] as const)('returns %s on request', async (encoding) => {
    const utterance = open({ encoding }).speak();
    utterance.push('We are closed.');
    utterance.end();
    const audio = audioOf(await collect(utterance));
    const samples = encoding === 'pcm16' ? new Int16Array(audio.slice().buffer) : decodeG711(encoding, audio);
    expect(await recognize(samples, { phrases: ['we are closed', 'hello there'] })).toBe('we are closed');
  });

  it('speaks clauses in order and times every word inside its own clause', async () => {
    const utterance = open().speak();
    utterance.push('One moment,');
    utterance.push('your appointment is booked for Tuesday.');
    utterance.end();
    const events = await collect(utterance);
    const words = events.flatMap((event) => (event.type === 'words' ? event.words : []));
    expect(words.map(({ text }) => text).join(' ')).toBe('One moment, your appointment is booked for Tuesday.');
    const times = words.flatMap(({ startMs, endMs }) => [startMs, endMs]);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const firstClause = events.findIndex((event, at) => at > 0 && event.type === 'words');
    const firstClauseMs = audioOf(events.slice(0, firstClause)).length / 8;
    expect(words[1]?.endMs).toBeLessThanOrEqual(firstClauseMs);
    expect(words[2]?.startMs).toBeGreaterThanOrEqual(firstClauseMs);
    expect(words.at(-1)?.endMs).toBeLessThanOrEqual(audioOf(events).length / 8);
  });

  it('trims the silence around a clause to short pauses', async () => {
    const samples = await synthesize('Hello.');
    const utterance = open().speak();
    utterance.push('Hello.');
    utterance.end();
    const audio = audioOf(await collect(utterance));
    expect(audio.length).toBeGreaterThan(1_600);
    expect(audio.length).toBeLessThan(samples.length - 800);
  });

  it('emits nothing after a cancel, and synthesizes none of the texts that waited', async () => {
    const post = vi.spyOn(Worker.prototype, 'postMessage');
    const session = open();
    const abandoned = session.speak();
    for (let i = 0; i < 200; i++) abandoned.push('This long sentence is never going to be heard by anybody at all.');
    abandoned.cancel();
    abandoned.cancel();
    const next = session.speak();
    next.push('Yes.');
    next.end();
    expect(audioOf(await collect(next)).length).toBeGreaterThan(800);
    expect(await collect(abandoned)).toEqual([]);
    expect(post).toHaveBeenCalledTimes(2);
    post.mockRestore();
  });

  it('ends its utterances when the call ends', async () => {
    const call = new AbortController();
    const utterance = open({ signal: call.signal }).speak();
    utterance.push('Good morning.');
    call.abort();
    expect(await collect(utterance)).toEqual([]);
  });

  it('ends an utterance without text, and fails one whose text cannot be spoken', async () => {
    const session = open();
    const empty = session.speak();
    empty.end();
    expect(await collect(empty)).toEqual([]);
    const mute = session.speak();
    mute.push('—');
    mute.end();
    await expect(collect(mute)).rejects.toThrow(ProviderError);
  });

  it('rejects an unknown voice, naming the known ones', () => {
    expect(() => open({ voiceId: 'rachel' })).toThrow(/"rachel".*slt, rms, awb, kal/);
  });
});
