import { describe, expect, it } from 'vitest';
import { readMessage, type ServerMessage } from '../../src/gemini/message.ts';

const empty: ServerMessage = {
  hasContent: false,
  isReady: false,
  audio: [],
  outputText: '',
  inputText: '',
  interrupted: false,
  turnComplete: false,
  calls: [],
  cancelledCalls: [],
  usage: undefined,
  goAwayMs: undefined,
  handle: undefined,
};

const read = (message: unknown) => readMessage(JSON.stringify(message));

describe('readMessage', () => {
  it.each(['', '{', '[]', 'null', '7'])('returns undefined for %j', (text) => {
    expect(readMessage(text)).toBeUndefined();
  });

  it.each([
    {},
    { setupComplete: true },
    { serverContent: [] },
    { serverContent: 'text', toolCall: 7, goAway: null, sessionResumptionUpdate: [] },
    { toolCallCancellation: { ids: 'a' } },
    { usageMetadata: { promptTokenCount: '12' } },
    { error: { message: 'unknown' } },
  ])('ignores the shape %j', (message) => {
    expect(read(message)).toEqual(empty);
  });

  it('reads all parts of a message', () => {
    const modelTurn = {
      parts: [
        { inlineData: { data: 'AAAA', mimeType: 'audio/pcm;rate=24000' } },
        { text: 'thought' },
        { inlineData: { data: 'BBBB', mimeType: 'image/png' } },
        { inlineData: { data: 7, mimeType: 'audio/pcm' } },
        null,
      ],
    };
    const message = read({
      serverContent: {
        modelTurn,
        outputTranscription: { text: 'Good' },
        inputTranscription: { text: 'Hello' },
        interrupted: true,
        turnComplete: true,
      },
      sessionResumptionUpdate: { newHandle: 'h1', resumable: true },
    });
    expect(message).toEqual({
      ...empty,
      hasContent: true,
      audio: ['AAAA'],
      outputText: 'Good',
      inputText: 'Hello',
      interrupted: true,
      turnComplete: true,
      handle: 'h1',
    });
  });

  it('reads tool calls, with an empty object for arguments that are no object', () => {
    const functionCalls = [
      { id: 'a', name: 'book', args: { n: 1 } },
      { id: 'b', name: 'cancel' },
      { id: 'c', name: 'list', args: 'text' },
      { name: 'without an id' },
      null,
    ];
    expect(read({ toolCall: { functionCalls } })?.calls).toEqual([
      { id: 'a', name: 'book', arguments: '{"n":1}' },
      { id: 'b', name: 'cancel', arguments: '{}' },
      { id: 'c', name: 'list', arguments: '{}' },
    ]);
  });

  it.each([
    ['9.5s', 9_500],
    ['0s', 0],
    ['50s', 50_000],
    ['soon', 0],
    [undefined, 0],
    [30, 0],
    ['-5s', 0],
  ])('reads the time left %j as %i ms', (timeLeft, expected) => {
    expect(read({ goAway: { timeLeft } })?.goAwayMs).toBe(expected);
  });
});
