import { describe, expect, it } from 'vitest';
import { elevenLabsProtocol } from '../../src/elevenlabs/protocol.ts';

const progress = { receivedMs: 0, text: 'Hi' };
const open = (settings = {}) => elevenLabsProtocol(settings).connect().open('c1');

describe('a context of ElevenLabs', () => {
  it('begins with the settings, and flushes each text', () => {
    const context = open({ voice_settings: { speed: 1.1 } });
    expect([context.start(), context.text('One.'), context.keepAlive?.(), context.end(), context.cancel()]).toEqual([
      [{ text: ' ', context_id: 'c1', voice_settings: { speed: 1.1 } }],
      [{ text: 'One.', context_id: 'c1', flush: true }],
      [{ text: '', context_id: 'c1' }],
      [{ context_id: 'c1', close_context: true }],
      [{ context_id: 'c1', close_context: true }],
    ]);
  });

  it('decodes audio, and is final when the service says so', () => {
    const context = open();
    expect(context.read({ audio: 'AQI=' }, progress)).toMatchObject({ audio: Buffer.of(1, 2), isFinal: false });
    expect(context.read({ isFinal: true }, progress)).toEqual({ words: [], isFinal: true });
  });

  it('keeps the last word until the end', () => {
    const context = open();
    const alignment = { chars: ['H', 'i'], charStartTimesMs: [0, 50], charDurationsMs: [50, 100] };
    expect(context.read({ audio: 'AQI=', alignment }, progress).words).toEqual([]);
    expect(context.read({ isFinal: true }, progress).words).toEqual([{ text: 'Hi', startMs: 0, endMs: 150 }]);
  });

  it.each([Uint8Array.of(1), { audio: '' }, { audio: 7 }, {}])('has no audio in %j', (message) => {
    expect(open().read(message, progress).audio).toBeUndefined();
  });
});

describe('the context of a message', () => {
  it.each([
    [{ contextId: 'c2' }, 'c2'],
    [{ contextId: 7 }, undefined],
    [{}, undefined],
    [Uint8Array.of(1), undefined],
  ])('of %j is %j', (message, id) => {
    expect(elevenLabsProtocol({}).connect().contextOf(message)).toBe(id);
  });
});
