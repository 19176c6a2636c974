import type { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { DownMessage } from '../../src/protocol/messages.ts';
import type { WebRtcSetup } from '../../src/server/webrtc/web-rtc-connection.ts';
import { fakePage, pageCall } from './fake-page.ts';

const voice = new Uint8Array(160).fill(1);
const lastOf = (messages: readonly DownMessage[]): DownMessage | undefined => messages.at(-1);

describe('a call of a page', () => {
  it('is confirmed to the page with its audio and the secret to resume it', () => {
    const { socket } = pageCall({ resumeUrl: 'wss://node-1.example.com/calls' });
    expect(socket.messages).toEqual([
      {
        ...{ type: 'ready', version: 1, call_id: '00000000-0000-7000-8000-000000000001' },
        audio: { encoding: 'pcmu', sample_rate: 8_000, frame_ms: 20 },
        ...{ resume_secret: 'secret', resume_url: 'wss://node-1.example.com/calls', resume_within_ms: 10_000 },
        webrtc: false,
      },
    ]);
  });

  it.each([
    ['pcmu', 160, 8_000],
    ['pcm16', 640, 16_000],
  ] as const)('in %s has frames of %i bytes', async (encoding, length, sampleRateHz) => {
    const { call, socket } = pageCall({ encoding });
    expect(call.format).toMatchObject({ encoding, sampleRateHz });
    const frames: (Uint8Array | null)[] = [];
    (await call.answer()).onFrame((frame) => frames.push(frame));
    socket.say(0, new Uint8Array(length));
    expect(frames).toHaveLength(1);
  });

  it('reports its answer to the page once', async () => {
    const { call, socket } = pageCall();
    await Promise.all([call.answer(), call.answer()]);
    expect(socket.types).toEqual(['ready', 'answered']);
  });

  it('passes on text and keys of the caller', async () => {
    const { call, socket } = pageCall();
    const texts: string[] = [];
    socket.receive({ type: 'text', text: 'too early' });
    call.openDisplay({ text: (text) => texts.push(text) });
    const digits: string[] = [];
    (await call.answer()).onDtmf(({ digit }) => digits.push(digit));
    socket.receive({ type: 'text', text: 'hello' });
    socket.receive({ type: 'keys', keys: '1#' });
    expect([texts, digits]).toEqual([['hello'], ['1', '#']]);
  });

  it('receives no audio while it is muted', async () => {
    const { call, socket } = pageCall();
    const frames: unknown[] = [];
    (await call.answer()).onFrame((frame) => frames.push(frame));
    socket.receive({ type: 'mute', muted: true });
    socket.say(0, voice);
    socket.receive({ type: 'mute', muted: false });
    socket.say(1, voice);
    expect(frames).toHaveLength(1);
  });

  it('confirms that it is alive while no audio shows it', async () => {
    const { call, socket } = pageCall();
    socket.receive({ type: 'played', sequence: 0 });
    expect(lastOf(socket.messages)).toEqual({ type: 'alive' });
    await call.answer();
    socket.receive({ type: 'played', sequence: 0 });
    expect(lastOf(socket.messages)).toEqual({ type: 'answered' });
  });

  it('shows the conversation to the page', () => {
    const { call, socket } = pageCall();
    const display = call.openDisplay({ text: () => {} });
    display.show({ type: 'user-text', text: 'hi', isFinal: true });
    display.show({ type: 'agent-text', text: 'hello' });
    expect(socket.messages.slice(1)).toEqual([
      { type: 'user-text', text: 'hi', final: true },
      { type: 'agent-text', text: 'hello' },
    ]);
  });

  it.each(['hello', 'resume'])('closes the connection of a page that sends %s again, without ending', async (type) => {
    const { call, socket, ends } = pageCall();
    await call.answer();
    socket.receive({ type, version: 1, token: 't', secret: 's', received: 0 });
    expect([lastOf(socket.messages), socket.closeCode]).toMatchObject([
      { type: 'error', code: 'invalid_message' },
      4_000,
    ]);
    expect(ends).toEqual([]);
  });
});

describe('the tools of a page', () => {
  const lookup = { id: 't1', name: 'lookup', arguments: { a: 1 } };

  it('run in the page', async () => {
    const { call, socket } = pageCall();
    const display = call.openDisplay({ text: () => {} });
    const first = display.runTool?.(lookup, new AbortController().signal);
    const second = display.runTool?.({ ...lookup, id: 't2' }, new AbortController().signal);
    expect(lastOf(socket.messages)).toEqual({ type: 'tool-call', id: 't2', name: 'lookup', arguments: { a: 1 } });
    socket.receive({ type: 'tool-error', id: 't2', error: 'no' });
    socket.receive({ type: 'tool-result', id: 't1', result: [1] });
    expect([await first, await second]).toEqual([
      { ok: true, result: [1] },
      { ok: false, error: 'no' },
    ]);
  });

  it('fail when the call ends', async () => {
    const { call, socket } = pageCall();
    const running = call.openDisplay({ text: () => {} }).runTool?.(lookup, new AbortController().signal);
    socket.receive({ type: 'hang-up' });
    expect(await running).toMatchObject({ ok: false });
  });
});

describe('the end of a call', () => {
  it.each([
    ['before the answer', false, 'canceled'],
    ['after the answer', true, 'remote-hangup'],
  ])('by the page %s', async (_name, isAnswered, cause) => {
    for (const leave of ['hang-up', 'close']) {
      const { call, socket, ends, released } = pageCall();
      if (isAnswered) await call.answer();
      if (leave === 'close') socket.close(1000);
      else socket.receive({ type: 'hang-up' });
      expect([ends, released(), socket.closeCode]).toEqual([[{ cause }], 1, 1000]);
    }
  });

  it('by the agent waits until the page has played what was said', async () => {
    const { clock, call, socket, ends } = pageCall();
    const leg = await call.answer();
    for (let n = 0; n < 10; n += 1) leg.send(voice);
    call.hangup();
    call.hangup();
    await clock.advance(199);
    expect(ends).toEqual([]);
    await clock.advance(1);
    expect([ends, socket.closeCode]).toEqual([[{ cause: 'local-hangup' }], 1000]);
  });

  it('by the agent waits 2 s at most', async () => {
    const { clock, call, ends } = pageCall();
    const leg = await call.answer();
    for (let n = 0; n < 150; n += 1) leg.send(voice);
    call.hangup();
    await clock.advance(2_000);
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
  });

  it('by the agent does not wait for a page without a connection', async () => {
    const { clock, call, socket, ends } = pageCall();
    const leg = await call.answer();
    for (let n = 0; n < 50; n += 1) leg.send(voice);
    socket.terminate();
    call.hangup();
    await clock.advance(0);
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
  });

  it('counts as a hang-up of the agent when the page disconnects during the wait', async () => {
    const { call, socket, ends } = pageCall();
    const leg = await call.answer();
    for (let n = 0; n < 50; n += 1) leg.send(voice);
    call.hangup();
    socket.terminate();
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
  });

  it('is reported once, also to a listener that is added later', () => {
    const { call, ends, released } = pageCall();
    call.reject('busy');
    call.hangup();
    call.reject('busy');
    expect([ends, released()]).toEqual([[{ cause: 'local-hangup' }], 1]);
    const later: unknown[] = [];
    call.onEnd((end) => later.push(end));
    expect(later).toEqual(ends);
  });

  it('rejects an answer', async () => {
    const { call, socket } = pageCall();
    socket.receive({ type: 'hang-up' });
    await expect(call.answer()).rejects.toMatchObject({ code: 'leg_ended' });
  });

  it('is shown to the page before its connection is closed', () => {
    const { call, socket } = pageCall();
    const display = call.openDisplay({ text: () => {} });
    call.onEnd(() => display.show({ type: 'ended', reason: 'agent_hangup' }));
    call.reject('declined');
    expect(lastOf(socket.messages)).toEqual({ type: 'ended', reason: 'agent_hangup' });
  });
});

describe('a new connection of a page', () => {
  it('replaces the earlier one, and receives the frames that the page missed', async () => {
    const { clock, call, socket, ends } = pageCall();
    const leg = await call.answer();
    for (let n = 0; n < 3; n += 1) leg.send(voice);
    const again = fakePage(clock);
    call.resume(again.connection, 1);
    expect([lastOf(socket.messages), socket.closeCode]).toMatchObject([{ type: 'error', code: 'replaced' }, 4_000]);
    expect([again.socket.types, again.socket.sequences]).toEqual([
      ['ready', 'answered'],
      [1, 2],
    ]);
    leg.send(voice);
    expect([socket.sequences, again.socket.sequences]).toEqual([
      [0, 1, 2],
      [1, 2, 3],
    ]);
    expect(ends).toEqual([]);
  });

  it('receives 200 messages at most that the page missed', async () => {
    const { clock, call, socket } = pageCall();
    const display = call.openDisplay({ text: () => {} });
    socket.terminate();
    for (let n = 0; n < 250; n += 1) display.show({ type: 'agent-text', text: String(n) });
    const again = fakePage(clock);
    call.resume(again.connection, 0);
    expect(again.socket.types.filter((type) => type === 'agent-text')).toHaveLength(200);
  });
});

describe('the transport of the audio', () => {
  const webRtcOf = (clock: VirtualClock) => ({ clock, codecs: ['pcmu'] }) as unknown as WebRtcSetup;

  function choosing() {
    const other = pageCall();
    const started = pageCall({
      clock: other.clock,
      connection: other.connection,
      webRtc: webRtcOf(other.clock),
      awaitsOffer: true,
    });
    const answers: string[] = [];
    void started.call.answer().then(
      () => answers.push('answered'),
      ({ code }: { code: string }) => answers.push(code),
    );
    return { call: started.call, ends: started.ends, clock: other.clock, socket: other.socket, answers };
  }

  it('is chosen before the call is answered', async () => {
    const { clock, socket, answers } = choosing();
    await clock.advance(1_000);
    expect(answers).toEqual([]);
    socket.receive({ type: 'use-websocket' });
    await clock.advance(0);
    expect([answers, lastOf(socket.messages)]).toEqual([['answered'], { type: 'answered' }]);
  });

  it('is the WebSocket if the page makes no offer within 10 s', async () => {
    const { clock, socket, answers } = choosing();
    for (let passed = 0; passed < 9_000; passed += 3_000) {
      await clock.advance(3_000);
      socket.receive({ type: 'played', sequence: 0 });
    }
    expect(answers).toEqual([]);
    await clock.advance(1_000);
    expect(answers).toEqual(['answered']);
  });

  it('is no longer awaited when the page hangs up', async () => {
    const { clock, socket, answers, ends } = choosing();
    socket.receive({ type: 'hang-up' });
    await clock.advance(0);
    expect([answers, ends]).toEqual([['leg_ended'], [{ cause: 'canceled' }]]);
  });

  it.each([
    ['without WebRTC', false, /does not offer WebRTC/],
    ['with a malformed offer', true, /session description/],
  ])('stays the WebSocket %s', (_name, hasWebRtc, message) => {
    const { clock, connection, socket } = pageCall();
    pageCall({ clock, connection, webRtc: hasWebRtc ? webRtcOf(clock) : null });
    socket.receive({ type: 'offer', sdp: 'nonsense', id: 3 });
    expect(lastOf(socket.messages)).toEqual({ type: 'offer-refused', message: expect.stringMatching(message), id: 3 });
    socket.receive({ type: 'offer', sdp: 'nonsense' });
    expect(lastOf(socket.messages)).not.toHaveProperty('id');
  });
});
