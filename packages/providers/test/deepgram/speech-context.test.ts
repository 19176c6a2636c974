import { describe, expect, it } from 'vitest';
import { auraProtocol } from '../../src/deepgram/speech/context.ts';

const progress = { receivedMs: 0, text: '' };
const flush = { type: 'Flush' };
const speak = (text: string): object => ({ type: 'Speak', text });

describe('an utterance of Aura', () => {
  it('flushes a text at once only if the service has nothing else to speak', () => {
    const context = auraProtocol.connect().open('c');
    expect(context.text('One.')).toEqual([speak('One.'), flush]);
    expect(context.text('Two.')).toEqual([speak('Two.')]);
    expect(context.text('Three.')).toEqual([speak('Three.')]);
    expect(context.read({ type: 'Flushed' }, progress)).toEqual({ replies: [flush], isFinal: false });
    expect(context.read({ type: 'Flushed' }, progress)).toMatchObject({ replies: [], isFinal: false });
    expect(context.isIdle).toBe(true);
  });

  it('is final with the last flush after its end', () => {
    const context = auraProtocol.connect().open('c');
    context.text('One.');
    context.text('Two.');
    expect(context.end()).toEqual([]);
    expect(context.read({ type: 'Flushed' }, progress).isFinal).toBe(false);
    expect(context.read({ type: 'Flushed' }, progress).isFinal).toBe(true);
  });

  it('splits a text above 2,000 characters', () => {
    const messages = auraProtocol.connect().open('c').text('word '.repeat(500));
    const texts = messages.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.every((text) => text.length <= 2_000)).toBe(true);
    expect(messages.at(-1)).toEqual(flush);
  });

  it('is final once the service has confirmed its cancellation', () => {
    const context = auraProtocol.connect().open('c');
    context.text('One.');
    expect(context.read({ type: 'Cleared' }, progress).isFinal).toBe(false);
    expect(context.cancel()).toEqual([{ type: 'Clear' }]);
    expect(context.read({ type: 'Flushed' }, progress)).toEqual({});
    expect(context.read({ type: 'Cleared' }, progress).isFinal).toBe(true);
  });

  it('passes audio on', () => {
    const audio = Uint8Array.of(1, 2);
    expect(auraProtocol.connect().open('c').read(audio, progress)).toEqual({ audio });
  });
});

describe('an error of Aura', () => {
  it.each([
    [
      { type: 'Error', description: 'down' },
      { fault: 'unavailable', message: 'down' },
    ],
    [
      { type: 'Error', err_msg: 'no' },
      { fault: 'unavailable', message: 'no' },
    ],
    [
      { type: 'Error', description: '', code: 'E1' },
      { fault: 'unavailable', message: 'E1' },
    ],
    [{ type: 'Error' }, { fault: 'unavailable', message: 'an error without a message' }],
    [
      { type: 'Warning', code: 'EXCESSIVE_FLUSH', description: 'Too many.' },
      { fault: 'unavailable', message: 'Too many.' },
    ],
    [{ type: 'Warning', description: 'Other.' }, undefined],
    [{ type: 'Metadata' }, undefined],
  ])('of %j is %j', (message, fault) => {
    expect(auraProtocol.connect().faultOf(message)).toEqual(fault);
  });
});
