import { describe, expect, it } from 'vitest';
import { transcriptionOf } from '../../src/openai/realtime-transcription/options.ts';
import { RealtimeRecognizer } from '../../src/openai/realtime-transcription/recognizer.ts';
import { FakeRecognizerHost } from '../recognizer-host.ts';

const transcription = 'conversation.item.input_audio_transcription';

function setUp() {
  const host = new FakeRecognizerHost();
  const recognizer = new RealtimeRecognizer(host, 'wss://host', [], (hints) => ({ hints }));
  recognizer.url();
  recognizer.opened();
  const committed = (item_id: string) => recognizer.received({ type: 'input_audio_buffer.committed', item_id });
  const completed = (item_id: string, transcript: unknown) =>
    recognizer.received({ type: `${transcription}.completed`, item_id, transcript });
  const delta = (item_id: string, text: unknown) =>
    recognizer.received({ type: `${transcription}.delta`, item_id, delta: text });
  return { host, recognizer, committed, completed, delta };
}

describe('RealtimeRecognizer', () => {
  it('reports the words of a turn as they come, and its final words', () => {
    const { host, recognizer, committed, completed, delta } = setUp();
    delta('a', 'Two');
    delta('a', ' people');
    recognizer.finalize();
    committed('a');
    completed('a', ' Two people. ');
    expect(host.take()).toEqual(['partial Two', 'partial Two people', 'final Two people.', 'finalized']);
    expect(host.clock.pending).toBe(0);
  });

  it('uses the words so far 3 s after the commit', async () => {
    const { host, recognizer, delta } = setUp();
    delta('a', 'Two');
    recognizer.finalize();
    await host.clock.advance(3_000);
    expect(host.take()).toEqual(['partial Two', 'final Two', 'finalized']);
  });

  it('commits again on another connection, for all finalize calls without a response', () => {
    const { host, recognizer, committed, completed } = setUp();
    recognizer.finalize();
    recognizer.finalize();
    recognizer.url();
    recognizer.opened();
    expect(host.sent).toHaveLength(3);
    committed('b');
    completed('b', 'Yes.');
    expect(host.take()).toEqual(['final Yes.', 'finalized', 'finalized']);
  });

  it('ends a turn without words when the commit is rejected as empty', () => {
    const { host, recognizer } = setUp();
    recognizer.finalize();
    const [commit] = host.sent as { event_id: string }[];
    const error = { code: 'input_audio_buffer_commit_empty', event_id: commit?.event_id, message: 'too short' };
    expect(recognizer.faultOf({ type: 'error', error })).toBeUndefined();
    expect(host.take()).toEqual(['finalized']);
  });

  it.each([
    ['a rejected key', { code: 'invalid_api_key', message: 'no' }, 'auth'],
    ['a used quota', { code: 'insufficient_quota', message: 'no' }, 'quota'],
    ['an expired session', { code: 'session_expired', message: 'over' }, 'connection'],
    ['another error', { type: 'invalid_request_error', message: 'no' }, undefined],
    ['an error of another shape', 'text', undefined],
  ])('after %s the fault is %s', (_, error, fault) => {
    expect(setUp().recognizer.faultOf({ type: 'error', error })?.fault).toBe(fault);
  });

  it('fails by any error before the session is accepted', () => {
    const { recognizer } = setUp();
    recognizer.url();
    const error = { type: 'invalid_request_error', message: 'unknown model' };
    expect(recognizer.faultOf({ type: 'error', error })).toEqual({
      fault: 'invalid_request',
      message: 'unknown model',
    });
  });

  it('ignores messages of other shapes', () => {
    const { host, recognizer, committed, completed, delta } = setUp();
    delta('a', 7);
    completed('a', null);
    committed(7 as never);
    recognizer.received({});
    expect(host.take()).toEqual([]);
  });
});

describe('transcriptionOf', () => {
  const stream = { config: { provider: 'openai_realtime', language: 'nl-NL' } };

  it.each([
    ['gpt-live-transcribe', {}, ['Roma'], { languages: ['nl'], keywords: ['Roma'] }],
    ['gpt-transcribe', { prompt: 'Calls.' }, ['a<b', '', 'Roma\n'], { languages: ['nl'], prompt: 'Calls.' }],
    [
      'gpt-4o-transcribe',
      { prompt: 'Calls.' },
      ['Roma'],
      { language: 'nl', prompt: 'Calls. The caller may say: Roma.' },
    ],
    ['gpt-4o-transcribe-diarize', { prompt: 'Calls.' }, ['Roma'], { language: 'nl' }],
    ['gpt-realtime-whisper', { prompt: 'Calls.', delay: 'low' }, ['Roma'], { language: 'nl', delay: 'low' }],
    ['gpt-4o-transcribe', { options: { extra: 1, model: 'x' } }, [], { language: 'nl', extra: 1 }],
  ] as const)('of %s with %j and %j has %j', (model, settings, hints, expected) => {
    expect(transcriptionOf(model, settings, stream, hints)).toEqual({ model, ...expected });
  });

  it('passes several languages only to the models that take them', () => {
    const several = { config: { provider: 'p', language: 'multi' }, languages: ['nl', 'en-US', 'nl'] };
    expect(transcriptionOf('gpt-live-transcribe', {}, several, [])).toMatchObject({ languages: ['nl', 'en'] });
    expect(transcriptionOf('gpt-4o-transcribe', {}, several, [])).toEqual({ model: 'gpt-4o-transcribe' });
  });
});
