import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { UpMessage } from '../../src/protocol/messages.ts';
import { fakePage } from './fake-page.ts';

function listening() {
  const clock = new VirtualClock();
  const { socket, connection } = fakePage(clock);
  const frames: number[] = [];
  const messages: UpMessage[] = [];
  const closes: boolean[] = [];
  connection.listen({
    onAudio: (sequence) => frames.push(sequence),
    onMessage: (message) => messages.push(message),
    onClose: (left) => closes.push(left),
  });
  return { clock, socket, connection, frames, messages, closes };
}
const frame = new Uint8Array(160);
const lastError = ({ messages }: ReturnType<typeof listening>['socket']): unknown => messages.at(-1);

describe('a connection of a page', () => {
  it('passes on frames with their sequence number, and messages', () => {
    const { socket, frames, messages } = listening();
    socket.say(0xffff_ffff, frame);
    socket.receive({ type: 'mute', muted: true });
    expect([frames, messages]).toEqual([[0xffff_ffff], [{ type: 'mute', muted: true }]]);
  });

  it.each([
    ['pcmu', 640],
    ['pcmu', 159],
    ['pcm16', 160],
    ['pcm16', 0],
  ] as const)('in %s is closed for a frame of %i bytes', (encoding, length) => {
    const { socket, connection, frames, closes } = listening();
    connection.setEncoding(encoding);
    socket.say(0, new Uint8Array(length));
    expect(lastError(socket)).toMatchObject({ type: 'error', code: 'invalid_message' });
    expect([socket.closeCode, frames, closes]).toEqual([4_000, [], [false]]);
  });

  it.each(['', '{', '[]', '{"type":"later"}', '{"type":"keys","keys":"E"}'])('is closed for the text %j', (text) => {
    const { socket, messages } = listening();
    socket.emit('message', Buffer.from(text), false);
    expect(lastError(socket)).toMatchObject({ type: 'error', code: 'invalid_message' });
    expect([socket.closeCode, messages]).toEqual([4_000, []]);
  });

  it('drops frames beyond a burst of 15 s, and takes 60 a second afterwards', async () => {
    const { clock, socket, frames } = listening();
    for (let n = 0; n < 800; n += 1) socket.say(n, frame);
    expect(frames).toHaveLength(750);
    await clock.advance(1_000);
    for (let n = 0; n < 100; n += 1) socket.say(n, frame);
    expect(frames).toHaveLength(810);
    expect(socket.closeCode).toBeNull();
  });

  it('is closed for more than 60 messages at once', () => {
    const { socket, messages } = listening();
    for (let n = 0; n < 60; n += 1) socket.receive({ type: 'played', sequence: n });
    expect([messages.length, socket.closeCode]).toEqual([60, null]);
    socket.receive({ type: 'played', sequence: 60 });
    expect(lastError(socket)).toMatchObject({ type: 'error', code: 'too_many_messages' });
    expect(socket.closeCode).toBe(4_000);
  });

  it('accepts 20 messages a second for any time', async () => {
    const { clock, socket, messages } = listening();
    for (let second = 0; second < 30; second += 1) {
      for (let n = 0; n < 20; n += 1) socket.receive({ type: 'played', sequence: n });
      await clock.advance(1_000);
    }
    expect([messages.length, socket.closeCode]).toEqual([600, null]);
  });

  it.each([
    [1000, true],
    [1001, true],
    [1006, false],
    [1011, false],
  ])('that is closed with the code %i was left by the page: %j', (code, left) => {
    const { socket, closes } = listening();
    socket.emit('close', code);
    socket.emit('close', code);
    expect(closes).toEqual([left]);
  });

  it('reports its end once when the service closes it for an error', () => {
    const { socket, connection, closes } = listening();
    connection.fail('overloaded', 'Later.');
    connection.terminate();
    expect(closes).toEqual([false]);
    expect(socket.messages).toEqual([{ type: 'error', code: 'overloaded', message: 'Later.' }]);
  });

  it('passes on nothing without a listener', () => {
    const { socket, connection, frames, messages } = listening();
    connection.listen(null);
    socket.say(0, frame);
    socket.receive({ type: 'hang-up' });
    socket.emit('message', Buffer.from('{'), false);
    expect([frames, messages, socket.closeCode]).toEqual([[], [], null]);
  });

  it.each([
    ['pcmu', 200 * 164],
    ['pcm16', 200 * 644],
  ] as const)('in %s is terminated when the page leaves more than %i bytes unread', (encoding, bytes) => {
    const { socket, connection, closes } = listening();
    connection.setEncoding(encoding);
    socket.bufferedAmount = bytes;
    connection.send({ type: 'alive' });
    expect([socket.types, closes]).toEqual([['alive'], []]);
    socket.bufferedAmount = bytes + 1;
    connection.send({ type: 'alive' });
    expect([socket.types, socket.closeCode, closes]).toEqual([['alive'], 1006, [false]]);
  });

  it('sends nothing once it is closing', () => {
    const { socket, connection } = listening();
    connection.close();
    connection.send({ type: 'alive' });
    connection.sendAudio(1, frame);
    expect([socket.types, socket.sequences]).toEqual([[], []]);
  });
});
