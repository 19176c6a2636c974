import { describe, expect, it } from 'vitest';
import { CommitRecognizer } from '../../src/elevenlabs/transcription/commit-recognizer.ts';
import { FakeRecognizerHost } from '../recognizer-host.ts';

function setUp(detectsLanguage = false) {
  const host = new FakeRecognizerHost();
  const options = { sampleRateHz: 8_000, hints: [], detectsLanguage, urlOf: () => 'wss://host' };
  const recognizer = new CommitRecognizer(host, options);
  const receive = (message_type: string, text?: string, language_code?: string) =>
    recognizer.received({
      message_type,
      ...(text !== undefined && { text }),
      ...(language_code !== undefined && { language_code }),
    });
  return { host, recognizer, receive };
}

describe('CommitRecognizer', () => {
  it('reports each partial transcript once, and the committed words', () => {
    const { host, recognizer, receive } = setUp();
    receive('partial_transcript', 'a');
    receive('partial_transcript', 'a');
    receive('partial_transcript', '');
    recognizer.finalize();
    receive('committed_transcript', 'a table');
    expect(host.take()).toEqual(['partial a', 'final a table', 'finalized']);
    expect(host.clock.pending).toBe(0);
  });

  it('uses the last partial transcript after a second', async () => {
    const { host, recognizer, receive } = setUp();
    receive('partial_transcript', 'yes');
    recognizer.finalize();
    recognizer.finalize();
    await host.clock.advance(1_000);
    expect(host.take()).toEqual(['partial yes', 'final yes', 'finalized', 'finalized']);
  });

  it('commits on the next connection if there is none', async () => {
    const { host, recognizer, receive } = setUp();
    host.isConnected = false;
    recognizer.finalize();
    await host.clock.advance(5_000);
    expect(host.take()).toEqual([]);
    host.isConnected = true;
    recognizer.opened();
    expect(host.sent).toMatchObject([{ commit: true, audio_base_64: '' }]);
    receive('committed_transcript', 'yes');
    expect(host.take()).toEqual(['final yes', 'finalized']);
  });

  it.each([
    ['nl', { language: 'nl' }],
    ['', {}],
    [undefined, {}],
  ])('waits for the language %j of committed words', (code, expected) => {
    const { host, receive } = setUp(true);
    const emitted: unknown[] = [];
    host.emit = (event) => void emitted.push(event);
    receive('committed_transcript', 'ja');
    expect(emitted).toEqual([]);
    receive('committed_transcript_with_timestamps', 'ja', code);
    expect(emitted).toEqual([{ type: 'final', text: 'ja', ...expected }]);
  });

  it('reports the words without a language after 300 ms', async () => {
    const { host, receive } = setUp(true);
    receive('committed_transcript', 'ja');
    await host.clock.advance(300);
    expect(host.take()).toEqual(['final ja']);
  });

  it('reports committed words before a rejection of the next commit', () => {
    const { host, recognizer, receive } = setUp(true);
    recognizer.finalize();
    receive('committed_transcript', 'ja');
    recognizer.finalize();
    receive('commit_throttled');
    expect(host.take()).toEqual(['final ja', 'finalized', 'finalized']);
    expect(host.clock.pending).toBe(0);
  });

  it.each([
    [
      { message_type: 'quota_exceeded', error: 'pay' },
      { fault: 'quota', message: 'pay' },
    ],
    [
      { message_type: 'rate_limited', error: 7 },
      { fault: 'unavailable', message: 'rate_limited' },
    ],
    [{ message_type: 'session_time_limit_exceeded' }, { fault: 'connection', message: 'session_time_limit_exceeded' }],
    [{ message_type: 'commit_throttled', error: 'short' }, undefined],
    [{ message_type: 'constructor' }, undefined],
    [{ message_type: 7 }, undefined],
    [{}, undefined],
  ])('reads the fault of %j', (message, expected) => {
    expect(setUp().recognizer.faultOf(message)).toEqual(expected);
  });

  it('leaves no timer after stop', () => {
    const { host, recognizer, receive } = setUp(true);
    recognizer.finalize();
    receive('committed_transcript', 'ja');
    recognizer.stop();
    expect(host.clock.pending).toBe(0);
  });
});
