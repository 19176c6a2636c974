import { describe, expect, it } from 'vitest';
import { cartesiaProtocol } from '../../src/cartesia/context.ts';
import { readFault } from '../../src/cartesia/fault.ts';
import { fittingKeyterms } from '../../src/cartesia/transcription/options.ts';

const progress = { receivedMs: 0, text: '' };

function setUp() {
  const wire = cartesiaProtocol({ model_id: 'm' }).connect();
  return { wire, context: wire.open('utterance-1') };
}

const flush = (part: number) => ({
  model_id: 'm',
  transcript: '',
  continue: true,
  flush: true,
  context_id: `utterance-1.${part}`,
});
const text = (part: number, transcript: string) => ({
  model_id: 'm',
  transcript,
  continue: true,
  context_id: `utterance-1.${part}`,
});
const done = { type: 'done', context_id: 'utterance-1.1' };

describe('context of cartesia', () => {
  it('continues on another context when the service ends one before the text ends', () => {
    const { context } = setUp();
    expect(context.text('One. ')).toEqual([text(1, 'One. '), flush(1)]);
    context.read({ type: 'flush_done', context_id: 'utterance-1.1' }, progress);
    expect(context.read(done, { receivedMs: 500, text: 'One. ' })).toEqual({ replies: [] });
    expect(context.isIdle).toBe(true);
    expect(context.text('Two. ')).toEqual([text(2, 'Two. '), flush(2)]);
  });

  it('adds the duration of earlier contexts to the times of words', () => {
    const { context } = setUp();
    context.text('One. ');
    context.read({ type: 'flush_done', context_id: 'utterance-1.1' }, progress);
    context.read(done, { receivedMs: 500, text: 'One. ' });
    context.text('Two. ');
    const word_timestamps = { words: ['Two.'], start: [0.1], end: [0.4] };
    const message = { type: 'timestamps', context_id: 'utterance-1.2', word_timestamps };
    expect(context.read(message, progress).words).toEqual([{ text: 'Two.', startMs: 600, endMs: 900 }]);
  });

  it('repeats the texts that a context has not spoken, and its end', () => {
    const { context } = setUp();
    context.text('One. ');
    context.text('Two. ');
    context.end();
    context.read({ type: 'flush_done', context_id: 'utterance-1.1' }, progress);
    const end = { model_id: 'm', transcript: '', continue: false, context_id: 'utterance-1.2' };
    expect(context.read(done, progress)).toEqual({ replies: [text(2, 'Two. '), flush(2), end] });
  });

  it('is final when all texts are spoken, or it was cancelled', () => {
    const { context } = setUp();
    context.text('One. ');
    context.end();
    context.read({ type: 'flush_done', context_id: 'utterance-1.1' }, progress);
    expect(context.read(done, progress)).toEqual({ isFinal: true });
    const cancelled = setUp().context;
    cancelled.text('One. ');
    expect(cancelled.cancel()).toEqual([{ context_id: 'utterance-1.1', cancel: true }]);
    expect(cancelled.read(done, progress)).toEqual({ isFinal: true });
  });

  it('ignores messages of other contexts, binary frames and unknown types', () => {
    const { context } = setUp();
    context.text('One. ');
    expect(context.read({ ...done, context_id: 'utterance-2.1' }, progress)).toEqual({});
    expect(context.read(new Uint8Array(2), progress)).toEqual({});
    expect(context.read({ type: 'chunk', data: 7, context_id: 'utterance-1.1' }, progress)).toEqual({});
    expect(context.read({ type: 'unknown', context_id: 'utterance-1.1' }, progress)).toEqual({});
  });

  it('attributes an error to its utterance, and ignores errors of contexts that have ended', () => {
    const { wire, context } = setUp();
    context.text('One. ');
    const error = { type: 'error', status_code: 400, message: 'no', context_id: 'utterance-1.1' };
    expect(wire.faultOf(error)).toMatchObject({ fault: 'invalid_request', contextId: 'utterance-1' });
    context.read(done, progress);
    expect(wire.faultOf(error)).toBeUndefined();
  });
});

describe('readFault', () => {
  it.each([
    [{ type: 'error', status_code: 401, message: 'no' }, 'auth', 'no'],
    [{ type: 'error', status_code: 429, error_code: 'quota_exceeded', title: 'Quota' }, 'quota', 'Quota'],
    [{ type: 'error', status_code: 429, error_code: 'concurrency_limited' }, 'unavailable', 'concurrency_limited'],
    [{ type: 'error', status_code: '401', message: '' }, 'unavailable', 'an error without a message'],
    [{ type: 'error', status_code: 500, error_code: 'constructor' }, 'unavailable', 'constructor'],
  ])('classifies %j as %s', (message, fault, text) => {
    expect(readFault(message)).toMatchObject({ fault, message: text, contextId: undefined });
  });

  it('returns undefined for another message', () => {
    expect(readFault({ type: 'done' })).toBeUndefined();
  });
});

describe('fittingKeyterms', () => {
  it('leaves out only the terms that exceed 1,200 characters in all', () => {
    const long = 'x'.repeat(1_200);
    expect(fittingKeyterms(['Roma', long, '', 'ossobuco'], 'ink-2')).toEqual(['Roma', 'ossobuco']);
    expect(fittingKeyterms([long, 'Roma'], 'ink-2')).toEqual([long]);
  });

  it('returns none for Ink Whisper', () => {
    expect(fittingKeyterms(['Roma'], 'ink-whisper')).toEqual([]);
  });
});
