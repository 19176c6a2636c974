import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { MediaStream, type MediaStreamOptions } from '../../../src/shared/stream/media-stream.ts';
import type { MediaStreamMessage, StreamProtocol } from '../../../src/shared/stream/stream-protocol.ts';
import { FakeWebSocket } from '../../support/fake-web-socket.ts';

/** A protocol whose messages are the JSON of what they mean; the audio is one byte that fills a frame. */
const protocol: StreamProtocol = {
  encoding: 'pcmu',
  read(data) {
    const { audio, ...fields } = JSON.parse(String(data));
    return audio === undefined ? fields : { ...fields, audio: new Uint8Array(160).fill(audio), timestampMs: null };
  },
  audio: (frame) => `audio ${frame[0]}`,
  mark: (name) => `mark ${name}`,
  clear: () => 'clear',
};

function open(options: Partial<MediaStreamOptions> = {}) {
  const clock = new VirtualClock();
  const socket = new FakeWebSocket();
  const stream = new MediaStream(socket.asWebSocket, {
    ...{ protocol, clock, transfer: async () => ({ type: 'accepted' }) },
    ...options,
  });
  const seen: unknown[] = [];
  stream.leg.onFrame((frame) => seen.push(frame?.[0] ?? null));
  stream.leg.onDtmf(({ digit }) => seen.push(digit));
  stream.onEnd(() => seen.push('end'));
  const receive = (message: Record<keyof MediaStreamMessage, unknown> | object): void => socket.receive(message);
  return { clock, socket, stream, seen, receive };
}
const audio = (code: number, chunk?: number): object => ({ type: 'audio', audio: code, ...(chunk && { chunk }) });

describe('a media stream', () => {
  it('passes audio and keys on, and orders numbered chunks', () => {
    const { seen, receive } = open();
    for (const message of [audio(1), { type: 'key', digit: '5' }, audio(2, 1), audio(4, 3), audio(3, 2)]) {
      receive(message);
    }
    expect(seen).toEqual([1, '5', 2, 3, 4]);
  });

  it.each<[string, (opened: ReturnType<typeof open>) => void, number | null]>([
    ['the carrier stops it', ({ receive }) => receive({ type: 'stop' }), 1_000],
    ['it is closed', ({ stream }) => stream.close(), 1_000],
    ['its connection is lost', ({ socket }) => socket.lose(), null],
  ])('ends once when %s', (_, end, code) => {
    const opened = open();
    end(opened);
    opened.stream.close();
    opened.socket.lose();
    expect([opened.seen, code === null || opened.socket.closeCode === code]).toEqual([['end'], true]);
  });

  it('sends nothing after its end', () => {
    const { socket, stream } = open();
    stream.sendAudio(new Uint8Array(160));
    stream.close();
    stream.clear();
    expect(socket.sent).toEqual(['audio 0']);
  });

  it.each([
    [200_000, false],
    [200_001, true],
  ])('with %i buffered bytes is terminated: %s', (bufferedAmount, isTerminated) => {
    const { socket, stream } = open();
    socket.bufferedAmount = bufferedAmount;
    stream.sendMark('a');
    expect([socket.isTerminated, socket.sent.length]).toEqual([isTerminated, isTerminated ? 0 : 1]);
  });
});

describe('keys on a media stream', () => {
  const keys = (text: string): string => `keys ${text}`;

  it.each<[string, Partial<MediaStreamOptions>, boolean, unknown[]]>([
    ['are messages of the protocol', { protocol: { ...protocol, keys }, press: () => false }, true, ['keys 12']],
    ['are commands of the API', { press: () => true }, true, []],
    ['are left to tones if the API does not support them', { press: () => false }, false, []],
    ['are left to tones without a command', {}, false, []],
  ])('%s', (_, options, isPressed, sent) => {
    const { socket, stream } = open(options);
    expect([stream.press('12', 100), socket.sent]).toEqual([isPressed, sent]);
  });
});

describe('the end of the queued audio', () => {
  it('is reached when its mark comes back', async () => {
    const { clock, socket, stream, receive } = open();
    stream.leg.send(new Uint8Array(160).fill(1));
    let isFinished = false;
    void stream.finish().then(() => {
      isFinished = true;
    });
    await clock.advance(100);
    expect(isFinished).toBe(false);
    receive({ type: 'mark', name: String(socket.sent.at(-1)).replace('mark ', '') });
    await clock.advance(0);
    expect([isFinished, clock.pending]).toEqual([true, 0]);
  });

  it('is not awaited for more than 2 s', async () => {
    const { clock, stream } = open();
    stream.leg.send(new Uint8Array(160).fill(1));
    let isFinished = false;
    void stream.finish().then(() => {
      isFinished = true;
    });
    await clock.advance(1_999);
    expect(isFinished).toBe(false);
    await clock.advance(1);
    expect(isFinished).toBe(true);
  });
});
