import type { TtsEvent } from '@va/core/adapter';
import { ProviderError } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { SocketUtterance } from '../../../src/shared/speech/utterance.ts';
import { collect } from '../../options.ts';

function setUp() {
  const clock = new VirtualClock();
  const calls: string[] = [];
  const utterance = new SocketUtterance('utterance-1', {
    id: 'mine',
    clock,
    bytesPerMs: 8,
    begin: ({ texts }) => void calls.push(`begin ${texts.join('|')}`),
    sendText: (_, text) => void calls.push(`text ${text}`),
    sendEnd: () => void calls.push('end'),
    finished: (_, contextOpen) => void calls.push(`finished ${contextOpen ? 'open' : 'closed'}`),
    read: () => void calls.push('read'),
  });
  return { clock, calls, utterance };
}

const audio = new Uint8Array(80);
const typesOf = (events: readonly TtsEvent[]) => events.map(({ type }) => type);

describe('SocketUtterance', () => {
  it('begins with its first text, and ends each text with one space', () => {
    const { calls, utterance } = setUp();
    utterance.push('Good  ');
    utterance.push('day.');
    utterance.end();
    expect(calls).toEqual(['begin Good ', 'text day. ', 'end']);
  });

  it('ignores blank texts, and texts after its end', () => {
    const { calls, utterance } = setUp();
    utterance.push(' \n');
    utterance.push('Yes.');
    utterance.end();
    utterance.push('No.');
    utterance.end();
    expect(calls).toEqual(['begin Yes. ', 'end']);
  });

  it('completes without the service when it has no text', async () => {
    const { clock, calls, utterance } = setUp();
    utterance.end();
    expect(await collect(utterance)).toEqual([]);
    expect(calls).toEqual(['read']);
    expect(clock.pending).toBe(0);
  });

  it('emits words before the audio of the same message', async () => {
    const { utterance } = setUp();
    utterance.push('Yes.');
    utterance.end();
    utterance.receive({ audio, words: [{ text: 'Yes.', startMs: 0, endMs: 10 }] });
    utterance.receive({ isFinal: true });
    expect(typesOf(await collect(utterance))).toEqual(['words', 'audio']);
  });

  it('fails when the service completes it without audio', async () => {
    const { calls, utterance } = setUp();
    utterance.push('Yes.');
    utterance.end();
    utterance.receive({ audio: new Uint8Array(0), isFinal: true });
    await expect(collect(utterance)).rejects.toMatchObject({ fault: 'protocol' });
    expect(calls).toContain('finished open');
  });

  it.each([
    ['its text has no audio', false],
    ['its audio stops', true],
  ])('fails after 10 s when %s', async (_, hasAudio) => {
    const { clock, utterance } = setUp();
    utterance.push('Yes.');
    utterance.end();
    await clock.advance(5_000);
    if (hasAudio) utterance.receive({ audio });
    await clock.advance(hasAudio ? 9_999 : 4_999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    await expect(collect(utterance)).rejects.toMatchObject({ fault: 'timeout' });
  });

  it('does not time out while it waits for more text', async () => {
    const { clock, utterance } = setUp();
    utterance.push('Yes.');
    utterance.receive({ audio });
    expect(clock.pending).toBe(0);
  });

  it('leaves no timer when the service completes it before its end', async () => {
    const { clock, calls, utterance } = setUp();
    utterance.push('Yes.');
    utterance.receive({ audio, isFinal: true });
    expect(typesOf(await collect(utterance))).toEqual(['audio']);
    utterance.push('No.');
    utterance.end();
    expect(clock.pending).toBe(0);
    expect(calls).toEqual(['begin Yes. ', 'finished closed', 'read']);
  });

  it('drops its events when it is cancelled', async () => {
    const { clock, calls, utterance } = setUp();
    utterance.push('Yes.');
    utterance.receive({ audio });
    utterance.cancel();
    expect(await collect(utterance)).toEqual([]);
    expect(clock.pending).toBe(0);
    expect(calls).toContain('finished open');
  });

  it('emits its audio before its error', async () => {
    const { utterance } = setUp();
    utterance.push('Yes.');
    utterance.receive({ audio });
    utterance.fail(new ProviderError('mine', 'connection', 'closed'));
    const types: string[] = [];
    const read = async () => {
      for await (const { type } of utterance) types.push(type);
    };
    await expect(read()).rejects.toMatchObject({ fault: 'connection' });
    expect(types).toEqual(['audio']);
  });
});
