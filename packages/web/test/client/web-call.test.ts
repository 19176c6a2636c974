import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakePage, stubAudio } from './support/fake-audio.ts';
import { FakeWebSocket, ready } from './support/fake-web-socket.ts';

/** The part of `WebCall` under test. Its module is loaded untyped, because it uses types of the DOM. */
interface Call {
  readonly state: string;
  readonly transport: string | null;
  on(name: string, listener: (event: object) => void): () => void;
  start(): Promise<void>;
  hangUp(): void;
  mute(isMuted: boolean): void;
  sendText(text: string): void;
  sendKeys(keys: string): void;
  levels(): { readonly input: number; readonly output: number };
}
const source = '../../src/client/web-call.ts';
const { WebCall }: { WebCall: new (options: object) => Call } = await import(source);

let page: FakePage;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeWebSocket);
  page = stubAudio();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  FakeWebSocket.all.length = 0;
});

const settle = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(0));

function create(options: object = {}) {
  const call = new WebCall({ url: 'wss://example.com', token: 't', workletUrl: '/worklet.js', ...options });
  const events: unknown[] = [];
  for (const name of ['state', 'transcript', 'tool', 'latency', 'device-error', 'ended']) {
    call.on(name, (event) => events.push({ event: name, ...event }));
  }
  const states = (): unknown[] =>
    events.flatMap((each) => (Object(each).event === 'state' ? [Object(each).state] : []));
  return { call, events, states };
}

/** Starts a call that the service has answered. */
async function answered(options: object = {}) {
  const { call, events, states } = create(options);
  await call.start();
  const socket = FakeWebSocket.last;
  socket.open();
  socket.receive(ready);
  socket.receive({ type: 'answered' });
  await settle();
  socket.sent.length = 0;
  return { call, events, states, socket };
}

describe('the state of a call', () => {
  it('is what the service reports', async () => {
    const { call, states, socket } = await answered();
    for (const state of ['thinking', 'speaking', 'speaking', 'listening']) socket.receive({ type: 'state', state });
    expect(states()).toEqual(['connecting', 'listening', 'thinking', 'speaking', 'listening']);
    expect(call.transport).toBe('websocket');
  });

  it('is `reconnecting` while the connection is lost, then the last one again', async () => {
    const { call, states, socket } = await answered();
    socket.receive({ type: 'state', state: 'speaking' });
    socket.lose();
    expect(call.state).toBe('reconnecting');
    await vi.advanceTimersByTimeAsync(500);
    FakeWebSocket.last.open();
    FakeWebSocket.last.receive(ready);
    expect(states().slice(-3)).toEqual(['speaking', 'reconnecting', 'speaking']);
  });

  it('ends with the reason of the service, once', async () => {
    const { call, events, socket } = await answered();
    socket.receive({ type: 'ended', reason: 'agent_hangup' });
    call.hangUp();
    const ends = events.filter((event) => Object(event).event === 'ended');
    expect(ends).toEqual([{ event: 'ended', reason: 'agent_hangup', error: null }]);
    expect([call.state, page.close.mock.calls.length]).toEqual(['ended', 1]);
  });

  it('ends with `user_hangup` when the page hangs up', async () => {
    const { call, events, socket } = await answered();
    call.hangUp();
    expect(socket.sent).toEqual([{ type: 'hang-up' }]);
    expect(events.at(-1)).toEqual({ event: 'ended', reason: 'user_hangup', error: null });
    expect(socket.closeCode).toBe(1_000);
  });

  it('ends with `user_hangup` when the page is left', async () => {
    const { events, socket } = await answered();
    page.window.dispatchEvent(new Event('pagehide'));
    expect(socket.sent).toEqual([{ type: 'hang-up' }]);
    expect(events.at(-1)).toEqual({ event: 'ended', reason: 'user_hangup', error: null });
    page.window.dispatchEvent(new Event('pagehide'));
    expect(socket.sent).toHaveLength(1);
  });
});

describe('starting a call', () => {
  it('twice is refused', async () => {
    const { call } = await answered();
    await expect(call.start()).rejects.toMatchObject({ code: 'protocol' });
    expect(call.state).toBe('listening');
  });

  it.each([
    ['NotAllowedError', 'permission-denied'],
    ['SecurityError', 'permission-denied'],
    ['NotFoundError', 'no-device'],
    ['OverconstrainedError', 'no-device'],
    ['AbortError', 'device-failed'],
  ])('fails when the microphone throws %s, as %s', async (name, code) => {
    page.getUserMedia.mockRejectedValue(new DOMException('no', name));
    const { call, events } = create();
    await expect(call.start()).rejects.toMatchObject({ code });
    expect(events.at(-1)).toMatchObject({ event: 'ended', reason: 'failed', error: { code } });
    expect(FakeWebSocket.all).toEqual([]);
  });

  it('does not connect when it was hung up during the permission prompt', async () => {
    const { call } = create();
    const starting = call.start();
    call.hangUp();
    await starting;
    expect([FakeWebSocket.all.length, page.close.mock.calls.length, page.track.stop]).toMatchObject([0, 1, {}]);
    expect(page.track.stop).toHaveBeenCalledOnce();
  });

  it('without a microphone does not ask for one', async () => {
    await answered({ microphone: false });
    expect(page.getUserMedia).not.toHaveBeenCalled();
  });

  it.each([
    [true, ['pcm16', 'pcmu']],
    [false, ['pcmu']],
  ])('with `wideband` %s offers %j', async (wideband, audio) => {
    await create({ wideband }).call.start();
    FakeWebSocket.last.open();
    expect(FakeWebSocket.last.sent).toMatchObject([{ type: 'hello', token: 't', audio }]);
  });
});

describe('the microphone', () => {
  const frame = new Uint8Array(160);
  const audioOf = ({ sent }: FakeWebSocket): unknown[] => sent.filter((each) => each instanceof Uint8Array);

  it('is sent once the call is answered, and not while muted', async () => {
    const { call } = create();
    await call.start();
    const socket = FakeWebSocket.last;
    socket.open();
    socket.receive(ready);
    await settle();
    page.emit('va-recorder', { frame, level: 0.25 });
    expect(audioOf(socket)).toHaveLength(0);
    socket.receive({ type: 'answered' });
    page.emit('va-recorder', { frame, level: 0.25 });
    expect(audioOf(socket)).toHaveLength(1);
    expect(call.levels()).toEqual({ input: 0.25, output: 0.5 });
    call.mute(true);
    page.emit('va-recorder', { frame, level: 0.25 });
    expect([audioOf(socket).length, page.track.enabled, call.levels().input]).toEqual([1, false, 0]);
    call.mute(false);
    page.emit('va-recorder', { frame, level: 0.25 });
    expect([audioOf(socket).length, page.track.enabled]).toEqual([2, true]);
  });

  it('stays muted when the call was muted before it started', async () => {
    const { call } = create();
    call.mute(true);
    await call.start();
    expect(page.track.enabled).toBe(false);
  });

  it('reports its mute again after the connection was resumed', async () => {
    const { call, socket } = await answered();
    call.mute(true);
    socket.lose();
    await vi.advanceTimersByTimeAsync(500);
    FakeWebSocket.last.open();
    FakeWebSocket.last.receive(ready);
    expect(FakeWebSocket.last.sent.slice(1)).toEqual([{ type: 'mute', muted: true }]);
  });

  it('may be removed, and the call goes on', async () => {
    const { call, events } = await answered();
    page.track.onended?.();
    expect(events.at(-1)).toMatchObject({ event: 'device-error', code: 'no-device' });
    expect(call.state).toBe('listening');
  });
});

describe('the loudspeaker', () => {
  it('plays frames and clears those that an interruption drops', async () => {
    const { socket } = await answered();
    const [frame] = [Uint8Array.of(1, 2)];
    socket.receiveAudio(3, frame);
    socket.receive({ type: 'clear', sequence: 4 });
    expect(page.posted['va-player']).toEqual([{ sequence: 3, frame }, { clear: 4 }]);
  });

  it('reports what it has played, and every second while it plays nothing', async () => {
    const { socket } = await answered();
    page.emit('va-player', { played: 7 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(socket.sent).toEqual(Array(3).fill({ type: 'played', sequence: 7 }));
  });

  it('uses the encoding of the service', async () => {
    const { socket } = await answered();
    socket.receive({ ...ready, audio: { encoding: 'pcm16', sample_rate: 16_000, frame_ms: 20 } });
    expect([page.posted['va-player'], page.posted['va-recorder']]).toEqual([
      [{ encoding: 'pcm16' }],
      [{ encoding: 'pcm16' }],
    ]);
  });
});

it('a call › sends texts and keys', async () => {
  const { call, socket } = await answered();
  call.sendText('Hello');
  call.sendKeys('1#');
  expect(socket.sent).toEqual([
    { type: 'text', text: 'Hello' },
    { type: 'keys', keys: '1#' },
  ]);
});

describe('events', () => {
  it.each([
    [
      { type: 'user-text', text: 'a', final: false },
      { event: 'transcript', role: 'user', text: 'a', final: false, interrupted: false },
    ],
    [
      { type: 'agent-text', text: 'b' },
      { event: 'transcript', role: 'assistant', text: 'b', final: false, interrupted: false },
    ],
    [
      { type: 'agent-heard', text: 'c', interrupted: true },
      { event: 'transcript', role: 'assistant', text: 'c', final: true, interrupted: true },
    ],
    [
      { type: 'tool-started', id: '1', name: 'find' },
      { event: 'tool', name: 'find', id: '1', status: 'started' },
    ],
    [
      { type: 'tool-ended', id: '1', name: 'find', ok: false },
      { event: 'tool', name: 'find', id: '1', status: 'failed' },
    ],
    [
      { type: 'latency', latency: { total_ms: 800 } },
      { event: 'latency', total_ms: 800 },
    ],
  ])('report %j', async (message, event) => {
    const { events, socket } = await answered();
    socket.receive(message);
    expect(events.at(-1)).toEqual(event);
  });
});

describe('a tool of the page', () => {
  const ask = { type: 'tool-call', id: '1', name: 'open', arguments: { path: 'a' } };
  const run = async (open: unknown) => {
    const started = await answered({ tools: { open } });
    started.socket.receive(ask);
    await settle();
    return started.socket.sent;
  };

  it.each<[string, unknown, object]>([
    ['its result', ({ path }: { path: string }) => ({ path }), { type: 'tool-result', id: '1', result: { path: 'a' } }],
    ['null for no result', () => undefined, { type: 'tool-result', id: '1', result: null }],
    ['the error it throws', () => Promise.reject(new Error('no page')), { type: 'tool-error', error: 'no page' }],
    ['an error for a result above 32,268 characters', () => 'x'.repeat(32_267), { type: 'tool-error', id: '1' }],
    ['an error if it does not exist', undefined, { type: 'tool-error', error: 'The page has no tool open.' }],
    ['an error of at most 2,000 characters', () => Promise.reject('x'.repeat(3_000)), { error: 'x'.repeat(2_000) }],
  ])('responds with %s', async (_, tool, response) => {
    expect(await run(tool)).toMatchObject([response]);
  });

  it.each([
    ['the service cancels it', (socket: FakeWebSocket) => socket.receive({ type: 'tool-canceled', id: '1' })],
    ['the call ends', (socket: FakeWebSocket) => socket.receive({ type: 'ended', reason: 'user_hangup' })],
  ])('is aborted without a result when %s', async (_, cancel) => {
    let signal: AbortSignal | undefined;
    let finish: (result: string) => void = () => {};
    const open = (_args: object, context: { signal: AbortSignal }): Promise<string> => {
      signal = context.signal;
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    const { socket } = await answered({ tools: { open } });
    socket.receive(ask);
    cancel(socket);
    finish('late');
    await settle();
    expect([signal?.aborted, socket.sent]).toEqual([true, []]);
  });
});
