import { describe, expect, it } from 'vitest';
import { maxKeys, maxSdpLength, maxTextLength, maxToolResultLength } from '../../src/protocol/messages.ts';
import { readMessage } from '../../src/server/read-message.ts';

const read = (message: unknown): unknown => readMessage(JSON.stringify(message));

describe('readMessage', () => {
  it.each([
    { type: 'hello', version: 1, token: 't' },
    { type: 'hello', version: 1, token: 't', audio: ['pcm16', 'pcmu'], webrtc: true },
    { type: 'resume', version: 1, secret: 's', received: 0 },
    { type: 'resume', version: 1, secret: 's', received: 0xffff_ffff },
    { type: 'played', sequence: 5 },
    { type: 'text', text: 'x'.repeat(maxTextLength) },
    { type: 'keys', keys: '0123456789*#ABCD' },
    { type: 'mute', muted: false },
    { type: 'tool-result', id: 'a', result: { deep: [1, null] } },
    { type: 'tool-error', id: 'a', error: '' },
    { type: 'offer', sdp: 'v=0' },
    { type: 'offer', sdp: 'v=0', id: 1 },
    { type: 'hang-up' },
  ])('reads %j', (message) => {
    expect(read(message)).toEqual(message);
  });

  it('drops unknown fields and the white space around a text', () => {
    expect(read({ type: 'hang-up', later: 1 })).toEqual({ type: 'hang-up' });
    expect(read({ type: 'text', text: '  hi \n' })).toEqual({ type: 'text', text: 'hi' });
  });

  it.each([
    ...[null, 7, 'hang-up', [], {}, { type: 'later' }, { type: 'constructor' }, { type: ['hang-up'] }],
    { type: 'hello', version: '1', token: 't' },
    { type: 'hello', version: 1, token: 't'.repeat(101) },
    { type: 'hello', version: 1, token: 't', audio: Array(21).fill('pcmu') },
    { type: 'hello', version: 1, token: 't', audio: 'pcmu' },
    ...[-1, 0x1_0000_0000, 1.5, null, '5'].map((sequence) => ({ type: 'played', sequence })),
    ...['', ' \n', 'x'.repeat(maxTextLength + 1), 5].map((text) => ({ type: 'text', text })),
    ...['', '1 2', 'E', '1'.repeat(maxKeys + 1), '１'].map((keys) => ({ type: 'keys', keys })),
    { type: 'mute', muted: 1 },
    ...[-1, 1.5, '1', null].map((id) => ({ type: 'offer', sdp: 'v=0', id })),
    { type: 'offer', sdp: 'x'.repeat(maxSdpLength + 1) },
    { type: 'tool-result', id: 'a'.repeat(201), result: 1 },
    { type: 'tool-error', id: 'a', error: 'x'.repeat(2_001) },
  ])('refuses %j', (message) => {
    expect(read(message)).toBeNull();
  });

  it.each(['', '{', '{"type":"hang-up"', 'undefined'])('refuses the text %j', (text) => {
    expect(readMessage(text)).toBeNull();
  });

  it('refuses a message beyond the maximum length', () => {
    const result = 'x'.repeat(maxToolResultLength);
    expect(read({ type: 'tool-result', id: 'a', result })).toBeNull();
  });
});
