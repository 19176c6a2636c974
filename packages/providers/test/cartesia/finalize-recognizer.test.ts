import { describe, expect, it } from 'vitest';
import { FinalizeRecognizer } from '../../src/cartesia/transcription/finalize-recognizer.ts';
import { FakeRecognizerHost } from '../recognizer-host.ts';

function setUp() {
  const host = new FakeRecognizerHost();
  const recognizer = new FinalizeRecognizer(host, [], () => 'wss://host');
  const receive = (text: string, is_final = false) => recognizer.received({ type: 'transcript', is_final, text });
  return { host, recognizer, receive };
}

describe('FinalizeRecognizer', () => {
  it('joins final words, also those of a word that is split', () => {
    const { host, recognizer, receive } = setUp();
    receive('a ta', true);
    receive('ble');
    receive('ble ', true);
    recognizer.finalize();
    recognizer.received({ type: 'flush_done' });
    expect(host.take()).toEqual(['partial a ta', 'partial a table', 'final a table', 'finalized']);
    expect(host.clock.pending).toBe(0);
  });

  it('uses the words so far after a second without a response', async () => {
    const { host, recognizer, receive } = setUp();
    receive('yes');
    recognizer.finalize();
    recognizer.finalize();
    await host.clock.advance(1_000);
    expect(host.take()).toEqual(['partial yes', 'final yes', 'finalized', 'finalized']);
  });

  it('responds to a finalize without words', () => {
    const { host, recognizer } = setUp();
    recognizer.finalize();
    recognizer.received({ type: 'flush_done' });
    expect(host.take()).toEqual(['finalized']);
  });

  it('drops the words of a segment that starts again on another connection', () => {
    const { host, recognizer, receive } = setUp();
    receive('a table', true);
    host.isConnected = false;
    recognizer.finalize();
    host.isConnected = true;
    recognizer.opened();
    expect(host.sent).toEqual(['finalize']);
    receive('a table', true);
    recognizer.received({ type: 'flush_done' });
    expect(host.take()).toEqual(['partial a table', 'final a table', 'finalized']);
  });

  it('ends a segment of more than 4,000 characters by itself', () => {
    const { host, receive } = setUp();
    for (let chunk = 0; chunk < 5; chunk++) receive('x'.repeat(1_000), true);
    expect(host.take().filter((event) => !event.startsWith('partial'))).toEqual([`final ${'x'.repeat(5_000)}`]);
    receive('next');
    expect(host.take()).toEqual(['partial next']);
  });

  it.each([{ type: 'transcript', text: 7 }, { type: 'transcript' }, { type: 'done' }, {}])('ignores %j', (message) => {
    const { host, recognizer } = setUp();
    recognizer.received(message);
    expect(host.take()).toEqual([]);
  });
});
