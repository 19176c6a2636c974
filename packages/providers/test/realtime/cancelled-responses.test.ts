import type { RealtimeEvent } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { CancelledResponses } from '../../src/realtime/cancelled-responses.ts';

const text = (response: number): RealtimeEvent => ({ type: 'text', response, item: 'item', text: 'Good' });
const done = (response: number): RealtimeEvent => ({ type: 'response-done', response, status: 'completed' });
const failed = (response: number): RealtimeEvent => ({
  type: 'response-failed',
  response,
  retryable: true,
  message: 'closed',
});

describe('CancelledResponses', () => {
  it('drops the events of a cancelled response up to its end', () => {
    const responses = new CancelledResponses();
    responses.requested(1);
    responses.requested(2);
    responses.cancel(1);
    expect(responses.filter(text(1))).toBeUndefined();
    expect(responses.filter(text(2))).toEqual(text(2));
    expect(responses.filter(done(1))).toEqual(done(1));
  });

  it('reports the failure of a cancelled response as its cancellation', () => {
    const responses = new CancelledResponses();
    responses.requested(1);
    responses.cancel(1);
    expect(responses.filter(failed(1))).toEqual({ type: 'response-done', response: 1, status: 'cancelled' });
    responses.requested(2);
    expect(responses.filter(failed(2))).toEqual(failed(2));
  });

  it('ignores a cancel after the end, and of an unknown response', () => {
    const responses = new CancelledResponses();
    responses.requested(1);
    responses.filter(done(1));
    responses.cancel(1);
    responses.cancel(2);
    responses.requested(2);
    expect(responses.filter(text(2))).toEqual(text(2));
  });

  it('passes transcripts and usage on', () => {
    const responses = new CancelledResponses();
    responses.requested(1);
    responses.cancel(1);
    const transcript: RealtimeEvent = { type: 'user-text', turn: 1, text: 'Yes.' };
    expect(responses.filter(transcript)).toBe(transcript);
  });
});
