import { describe, expect, it } from 'vitest';
import { readStart as plivoStart } from '../../../src/plivo/stream.ts';
import type { StreamProtocol, StreamStart } from '../../../src/shared/stream/stream-protocol.ts';
import { readStart as telnyxStart } from '../../../src/telnyx/stream.ts';
import { readStart as twilioStart } from '../../../src/twilio/stream.ts';
import { contentTypeOf, readStart as vonageStart } from '../../../src/vonage/stream.ts';

const telnyxFormat = (encoding: unknown, sample_rate: unknown) =>
  telnyxStart({ event: 'start', start: { call_control_id: 'c', media_format: { encoding, sample_rate } } });
const starts = {
  twilio: twilioStart({ event: 'start', streamSid: 's', start: { callSid: 'c', customParameters: { token: 't' } } }),
  telnyx: telnyxFormat('PCMU', 8_000),
  plivo: plivoStart({ event: 'start', start: { streamId: 's', callId: 'c' } }),
  vonage: vonageStart({ event: 'websocket:connected', 'content-type': contentTypeOf('pcmu') }),
};

function protocolOf(start: StreamStart | null): StreamProtocol {
  if (start === null) throw new Error('The message is not a start.');
  return start.protocol;
}
const read = (name: keyof typeof starts, message: unknown) =>
  protocolOf(starts[name]).read(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)), false);

describe('the start of a stream', () => {
  it('names call and token as far as the carrier sends them', () => {
    expect(Object.values(starts).map((start) => [start?.callId, start?.token])).toEqual([
      ['c', 't'],
      ['c', null],
      ['c', null],
      [null, null],
    ]);
  });

  it.each([
    {},
    { event: 'media' },
    { event: 'start' },
    { event: 'start', start: null },
    { event: 'start', start: { callSid: 7 } },
  ])('is not %j', (message) => {
    for (const of of [twilioStart, telnyxStart, plivoStart, vonageStart]) expect(of(message)).toBeNull();
  });

  it.each([
    ['L16', 16_000, 'pcm16'],
    ['L16', '16000', 'pcm16'],
    ['L16', 8_000, 'pcmu'],
    ['PCMU', 16_000, 'pcmu'],
    [undefined, undefined, 'pcmu'],
  ])('of Telnyx with %j at %j Hz has the encoding %s', (encoding, rate, expected) => {
    expect(telnyxFormat(encoding, rate)?.protocol.encoding).toBe(expected);
  });

  it.each(['audio/l16;rate=44100', 'audio/l16', '', undefined])(
    'of Vonage is refused with the content type %j',
    (type) => {
      expect(vonageStart({ event: 'websocket:connected', 'content-type': type })).toBeNull();
    },
  );
});

describe('a message of a stream', () => {
  const payload = Buffer.from([1, 2, 3]).toString('base64');

  it.each(['twilio', 'telnyx', 'plivo'] as const)('of %s has audio with its time', (name) => {
    const audio = { type: 'audio', audio: Buffer.from([1, 2, 3]) };
    expect(read(name, { event: 'media', media: { payload, timestamp: '120' } })).toMatchObject({
      ...audio,
      timestampMs: 120,
    });
    expect(read(name, { event: 'media', media: { payload } })).toMatchObject({ ...audio, timestampMs: null });
    expect(read(name, { event: 'media', media: { payload, timestamp: 'x' } })).toMatchObject({ timestampMs: null });
  });

  it('of Telnyx has the number of its chunk', () => {
    expect(read('telnyx', { event: 'media', media: { payload, chunk: '4' } })).toMatchObject({ chunk: 4 });
    expect(read('telnyx', { event: 'media', media: { payload, chunk: 'x' } })).not.toHaveProperty('chunk');
  });

  it.each([
    ['twilio', { event: 'mark', mark: { name: 'm' } }],
    ['telnyx', { event: 'mark', mark: { name: 'm' } }],
    ['plivo', { event: 'playedStream', name: 'm' }],
    ['vonage', { event: 'websocket:notify', payload: { mark: 'm' } }],
  ] as const)('of %s returns a mark', (name, message) => {
    expect(read(name, message)).toEqual({ type: 'mark', name: 'm' });
  });

  it.each(['twilio', 'telnyx', 'plivo', 'vonage'] as const)(
    'of %s is ignored if it is malformed or unknown',
    (name) => {
      const messages = [
        ...[
          '',
          'x',
          'null',
          '[]',
          '{"event":',
          { event: 'later' },
          { event: 'media' },
          { event: 'media', media: { payload: 7 } },
        ],
        ...[
          { event: 'media', media: { payload: 'A'.repeat(320_001) } },
          { event: 'mark', mark: null },
          { event: 'mark' },
        ],
        ...[
          { event: 'dtmf', dtmf: { digit: 5 } },
          { event: 'websocket:dtmf', digit: 5 },
          { event: 'websocket:notify' },
        ],
      ];
      for (const message of messages) expect([message, read(name, message)]).toEqual([message, null]);
    },
  );

  it('in binary is audio for Vonage only', () => {
    const data = Buffer.from([0, 0, 1]);
    expect(protocolOf(starts.vonage).read(data, true)).toMatchObject({ type: 'audio', audio: new Uint8Array([0xff]) });
    expect(protocolOf(starts.vonage).read(Buffer.of(7), true)).toBeNull();
    for (const name of ['twilio', 'telnyx', 'plivo'] as const)
      expect(protocolOf(starts[name]).read(data, true)).toBeNull();
  });
});

it('a message to the carrier › cannot be altered by names with quotes', () => {
  const start = twilioStart({ event: 'start', streamSid: '","event":"stop', start: { callSid: 'c' } });
  const frame = new Uint8Array([0xff, 0, 0x7f]);
  const written = JSON.parse(String(protocolOf(start).audio(frame)));
  expect(written).toEqual({ event: 'media', streamSid: '","event":"stop', media: { payload: '/wB/' } });
  expect(JSON.parse(String(protocolOf(starts.plivo).mark('"}')))).toMatchObject({ event: 'checkpoint', name: '"}' });
});

it('a message to the carrier › has the audio of a view into a larger buffer', () => {
  const frame = new Uint8Array(Uint8Array.of(9, 9, 1, 2, 9).buffer, 2, 2);
  for (const name of ['twilio', 'telnyx', 'plivo'] as const) {
    expect(JSON.parse(String(protocolOf(starts[name]).audio(frame))).media.payload).toBe(
      Buffer.of(1, 2).toString('base64'),
    );
  }
});
