import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeWebSocket, ready } from './support/fake-web-socket.ts';

/** The part of `ServiceConnection` under test. Its module is loaded untyped, because it uses types of the DOM. */
interface Connection {
  open(): void;
  send(message: object): void;
  sendAudio(frame: Uint8Array): void;
  close(): void;
}
const source = '../../src/client/connection.ts';
const { ServiceConnection }: { ServiceConnection: new (...args: readonly unknown[]) => Connection } = await import(
  source
);

let blockedMs = 0;
beforeEach(() => {
  vi.useFakeTimers();
  blockedMs = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + blockedMs);
  vi.stubGlobal('WebSocket', FakeWebSocket);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  FakeWebSocket.all.length = 0;
});

function connect(options: object = {}) {
  const seen: unknown[] = [];
  const connection = new ServiceConnection(
    { url: 'wss://example.com', token: 't', offersWebRtc: false, audio: ['pcm16', 'pcmu'], ...options },
    {
      onMessage: ({ type }: { type: string }) => seen.push(type),
      onAudio: (sequence: number, frame: Uint8Array) => seen.push([sequence, ...frame]),
      onLost: () => seen.push('lost'),
      onResumed: () => seen.push('resumed'),
      onFailed: ({ code }: { code: string }) => seen.push(code),
    },
  );
  connection.open();
  return { connection, seen };
}

/** Connects, and forgets what was sent and seen until then. */
function connected(changes: object = {}) {
  const { connection, seen } = connect();
  const socket = FakeWebSocket.last;
  socket.open();
  socket.receive({ ...ready, ...changes });
  seen.length = 0;
  socket.sent.length = 0;
  return { connection, seen, socket };
}

/** Advances the clock as on a page that is blocked or suspended: no timer fires. */
function passWithoutTimers(ms: number): void {
  blockedMs += ms;
}

describe('the first message of a page', () => {
  it.each([
    [false, {}],
    [true, { webrtc: true }],
  ])('has the token and the encodings, and with WebRTC %s %j', (offersWebRtc, field) => {
    connect({ offersWebRtc });
    FakeWebSocket.last.open();
    expect(FakeWebSocket.last.sent).toEqual([
      { type: 'hello', version: 1, token: 't', audio: ['pcm16', 'pcmu'], ...field },
    ]);
  });
});

describe('a message of the page', () => {
  it('is dropped before ready and while disconnected', () => {
    const { connection } = connect();
    const socket = FakeWebSocket.last;
    socket.open();
    connection.send({ type: 'mute', muted: true });
    connection.sendAudio(new Uint8Array(160));
    expect(socket.sent).toHaveLength(1);
    socket.receive(ready);
    connection.send({ type: 'mute', muted: true });
    expect(socket.sent.slice(1)).toEqual([{ type: 'mute', muted: true }]);
    socket.lose();
    connection.send({ type: 'mute', muted: false });
    expect(socket.sent).toHaveLength(2);
  });
});

describe('audio', () => {
  it('is sent with sequence numbers, which also count dropped frames', () => {
    const { connection, socket } = connected();
    connection.sendAudio(new Uint8Array(160).fill(9));
    // The recorder still uses another encoding.
    connection.sendAudio(new Uint8Array(640));
    connection.sendAudio(new Uint8Array(160).fill(8));
    const heads = socket.sent.map((each) => each instanceof Uint8Array && [each.length, ...each.subarray(0, 5)]);
    expect(heads).toEqual([
      [164, 0, 0, 0, 0, 9],
      [164, 0, 0, 0, 2, 8],
    ]);
  });

  it('of the service is passed on with its sequence number, unless it is empty', () => {
    const { seen, socket } = connected();
    socket.receiveAudio(0x0102_0304, Uint8Array.of(1, 2));
    socket.receiveAudio(5, new Uint8Array(0));
    expect(seen).toEqual([[0x0102_0304, 1, 2]]);
  });
});

describe('an error message of the service', () => {
  it.each([
    ['token_refused', 'token-refused'],
    ['resume_refused', 'connection-lost'],
    ['invalid_message', 'protocol'],
    ['overloaded', 'protocol'],
  ])('with the code %s fails the call as %s', (code, expected) => {
    const { seen, socket } = connected();
    socket.receive({ type: 'error', code, message: 'no' });
    expect(seen).toEqual([expected]);
    expect([socket.closeCode, socket.onclose]).toEqual([1_000, null]);
  });
});

describe('a connection that cannot be made', () => {
  it('fails when it is closed before ready', () => {
    const { seen } = connect();
    FakeWebSocket.last.lose();
    expect(seen).toEqual(['connection-failed']);
  });

  it('fails when nothing arrives for more than 10 s', async () => {
    const { seen } = connect();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    expect(seen).toEqual(['connection-failed']);
  });
});

describe('a lost connection', () => {
  it('is detected after more than 3 s without data', async () => {
    const { seen, socket } = connected();
    await vi.advanceTimersByTimeAsync(2_900);
    socket.receive({ type: 'alive' });
    await vi.advanceTimersByTimeAsync(2_900);
    expect(seen).toEqual(['alive']);
    await vi.advanceTimersByTimeAsync(700);
    expect(seen).toEqual(['alive', 'lost']);
  });

  it('is not detected while the page was blocked and could not read data', async () => {
    const { seen, socket } = connected();
    await vi.advanceTimersByTimeAsync(1_000);
    passWithoutTimers(20_000);
    await vi.advanceTimersByTimeAsync(500);
    expect(seen).toEqual([]);
    socket.receive({ type: 'alive' });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(seen).toEqual(['alive']);
    await vi.advanceTimersByTimeAsync(500);
    expect(seen).toEqual(['alive', 'lost']);
  });

  it('is detected also on a page whose timers are throttled', async () => {
    const { seen } = connected();
    for (const expected of [[], ['lost']]) {
      passWithoutTimers(60_000);
      await vi.advanceTimersByTimeAsync(500);
      expect(seen).toEqual(expected);
    }
  });

  it('is replaced when an attempt to resume it takes more than 4 s', async () => {
    const { socket } = connected();
    socket.lose();
    await vi.advanceTimersByTimeAsync(500 + 4_000);
    expect(FakeWebSocket.all).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(500 + 500);
    expect(FakeWebSocket.all).toHaveLength(3);
  });

  it.each([
    [null, 'wss://example.com'],
    ['wss://node-1.example.com', 'wss://node-1.example.com'],
  ])('with the resume URL %j is resumed at %s after the last received frame', async (resumeUrl, url) => {
    const { seen, socket } = connected({ resume_url: resumeUrl });
    socket.receiveAudio(41, Uint8Array.of(1));
    socket.lose();
    await vi.advanceTimersByTimeAsync(500);
    const next = FakeWebSocket.last;
    next.open();
    expect([next.url, next.sent]).toEqual([url, [{ type: 'resume', version: 1, secret: 's', received: 42 }]]);
    next.receive(ready);
    expect(seen.slice(1)).toEqual(['lost', 'resumed', 'ready']);
  });

  it('is reported once, and tried again every 500 ms', async () => {
    const { seen, socket } = connected();
    socket.lose();
    for (const count of [2, 3, 4]) {
      await vi.advanceTimersByTimeAsync(500);
      expect(FakeWebSocket.all).toHaveLength(count);
      FakeWebSocket.last.lose();
    }
    expect(seen).toEqual(['lost']);
  });

  it('fails once the service no longer keeps the call', async () => {
    const { seen, socket } = connected({ resume_within_ms: 1_000 });
    socket.lose();
    for (const elapsedMs of [500, 1_000]) {
      await vi.advanceTimersByTimeAsync(500);
      expect([elapsedMs, seen]).toEqual([elapsedMs, ['lost']]);
      FakeWebSocket.last.lose();
    }
    await vi.advanceTimersByTimeAsync(500);
    FakeWebSocket.last.lose();
    expect(seen).toEqual(['lost', 'connection-lost']);
  });

  it('may be lost and resumed any number of times', async () => {
    const { seen, socket } = connected({ resume_within_ms: 1_000 });
    socket.lose();
    for (let round = 0; round < 3; round++) {
      await vi.advanceTimersByTimeAsync(500);
      FakeWebSocket.last.open();
      FakeWebSocket.last.receive(ready);
      FakeWebSocket.last.lose();
    }
    expect(seen.filter((each) => each === 'lost')).toHaveLength(4);
    expect(seen).not.toContain('connection-lost');
  });
});

describe('a closed connection', () => {
  it('is closed with 1000 and neither watched nor resumed', async () => {
    const { connection, seen, socket } = connected();
    connection.close();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([socket.closeCode, seen, FakeWebSocket.all.length]).toEqual([1_000, [], 1]);
  });

  it('is not resumed when it was closed while it was lost', async () => {
    const { connection, seen, socket } = connected();
    socket.lose();
    connection.close();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([seen, FakeWebSocket.all.length]).toEqual([['lost'], 1]);
  });
});
