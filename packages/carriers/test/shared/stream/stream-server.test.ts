import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import type { TelephonyHost } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AwaitingStream } from '../../../src/shared/stream/awaiting-stream.ts';
import type { StreamProtocol } from '../../../src/shared/stream/stream-protocol.ts';
import {
  type ExpectedStream,
  StreamServer,
  type StreamServerOptions,
} from '../../../src/shared/stream/stream-server.ts';
import { textOf } from '../../../src/shared/web/fields.ts';

const servers: StreamServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The connection of a carrier. */
class FakeConnection extends Duplex {
  written = Buffer.alloc(0);

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written = Buffer.concat([this.written, chunk]);
    done();
  }

  get status(): string {
    return this.written.toString('latin1').split('\r\n')[0] ?? '';
  }

  /** Code of the frame that closes the WebSocket; null while it is open. */
  get closeCode(): number | null {
    const at = this.written.indexOf(Buffer.of(0x88, 0x02));
    return at === -1 ? null : this.written.readUInt16BE(at + 2);
  }

  /** Sends a text, masked with zeros. */
  say(message: object): void {
    const text = Buffer.from(JSON.stringify(message));
    this.push(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]));
  }
}

const protocol = { encoding: 'pcmu', read: () => null } as unknown as StreamProtocol;

function setUp(options: Partial<StreamServerOptions> = {}) {
  const clock = new VirtualClock();
  const warnings: unknown[] = [];
  const logger = { ...silentLogger, warn: (_fields: unknown, message?: string) => void warnings.push(message) };
  const host = { clock, logger } as unknown as TelephonyHost;
  const server = new StreamServer({
    tokenIn: 'path',
    readStart: ({ call, token }) =>
      call === undefined ? null : { callId: textOf(call), token: textOf(token), protocol },
    ...options,
  });
  servers.push(server);
  const connected: (string | null)[] = [];
  const callOf = (isOver = false): AwaitingStream => ({
    connected(callId, open) {
      connected.push(callId);
      return isOver ? null : open({ transfer: async () => ({ type: 'accepted' }), press: undefined });
    },
  });
  const expected = (changes: Partial<ExpectedStream> = {}): string =>
    server.expect({ call: callOf(), callId: 'c1', ...changes });
  const connect = (path: string, clientAddress: string | null = '192.0.2.1', more: object = {}): FakeConnection => {
    const connection = new FakeConnection();
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      ...more,
    };
    const request = { method: 'GET', url: path, headers } as unknown as IncomingMessage;
    server.upgrade(host, request, [connection, Buffer.alloc(0)], { path, clientAddress });
    return connection;
  };
  return { clock, warnings, server, connected, callOf, expected, connect };
}

describe('the upgrade of a media stream', () => {
  it('takes the token of a call from the path, once', () => {
    const { expected, connect, warnings } = setUp();
    const path = `/stream/${expected()}`;
    expect(connect(path).status).toContain('101');
    expect(warnings).toEqual([]);
    expect(connect(path).status).toContain('404');
    expect(warnings).toHaveLength(1);
  });

  it.each(['/', '/stream', '/stream/', '/stream/abc', `/stream/${'A'.repeat(32)}`, `/other/${'a'.repeat(32)}`])(
    'is refused at %s, which has no token',
    (path) => {
      const { expected, connect, warnings } = setUp();
      expected();
      expect(connect(path).status).toContain('404');
      expect(warnings).toEqual([]);
    },
  );

  it('is refused for a token that was forgotten', () => {
    const { expected, connect, server } = setUp();
    const token = expected();
    server.forget(token);
    expect(connect(`/stream/${token}`).status).toContain('404');
  });

  it('needs no token in the path if the start message has it', () => {
    const { connect } = setUp({ tokenIn: 'start' });
    expect(connect('/stream').status).toContain('101');
    expect(connect('/stream/abc').status).toContain('404');
  });

  it('closes the oldest of more than 50 connections of an address that have sent no token yet', () => {
    const { connect } = setUp({ tokenIn: 'start' });
    const connections = Array.from({ length: 51 }, () => connect('/stream'));
    expect(connections.filter(({ destroyed }) => destroyed)).toEqual([connections[0]]);
    expect(connect('/stream', '198.51.100.1').destroyed).toBe(false);
  });

  it('chooses the protocol of the carrier', () => {
    const chooseProtocol = (offered: Set<string>): string | false => (offered.has('audio') ? 'audio' : false);
    const { expected, connect } = setUp({ chooseProtocol });
    const connection = connect(`/stream/${expected()}`, null, { 'sec-websocket-protocol': 'other, audio' });
    expect(connection.written.toString()).toMatch(/sec-websocket-protocol: audio/i);
  });
});

describe('the start of a media stream', () => {
  /** Connects a stream, which sends its start. */
  async function begin(
    start: object,
    changes: Partial<ExpectedStream> = {},
    options: Partial<StreamServerOptions> = {},
  ) {
    const made = setUp(options);
    const token = made.expected(changes);
    const isInPath = options.tokenIn !== 'start';
    const connection = made.connect(isInPath ? `/stream/${token}` : '/stream');
    connection.say(isInPath ? start : { token, ...start });
    await vi.waitFor(() => expect(made.connected.length + (connection.closeCode ?? 0)).toBeGreaterThan(0), {
      interval: 1,
    });
    return { ...made, connection };
  }

  it('connects the call of the token', async () => {
    const { connected, connection, warnings } = await begin({ call: 'c1' });
    expect([connected, connection.closeCode, warnings]).toEqual([['c1'], null, []]);
  });

  it('connects the call of a token in the start message', async () => {
    const { connected, connection } = await begin({ call: 'c1' }, {}, { tokenIn: 'start' });
    expect([connected, connection.closeCode]).toEqual([['c1'], null]);
  });

  it('connects a call whose id is not known yet', async () => {
    expect((await begin({ call: 'c9' }, { callId: null })).connected).toEqual(['c9']);
  });

  it.each<[string, object, Partial<ExpectedStream>, Partial<StreamServerOptions>]>([
    ['of another call', { call: 'c2' }, {}, {}],
    ['with another token', { call: 'c1', token: 'wrong' }, {}, { tokenIn: 'start' }],
    ['that is not proven', { call: 'c1' }, { isProven: () => false }, {}],
  ])('is refused %s', async (_, start, changes, options) => {
    const { connected, connection, warnings } = await begin(start, changes, options);
    expect([connected, connection.closeCode, warnings.length]).toEqual([[], 1008, 1]);
  });

  it('is proven by the headers of its upgrade', async () => {
    const isProven = vi.fn(() => true);
    expect((await begin({ call: 'c1' }, { isProven })).connected).toEqual(['c1']);
    expect(isProven).toHaveBeenCalledWith(expect.objectContaining({ upgrade: 'websocket' }));
  });

  it('closes the stream of a call that has ended', async () => {
    const made = setUp();
    const connection = made.connect(`/stream/${made.expected({ call: made.callOf(true) })}`);
    connection.say({ call: 'c1' });
    await vi.waitFor(() => expect(connection.closeCode).toBe(1000), { interval: 1 });
  });

  it('has to come within 10 s', async () => {
    const { clock, connect, expected, connected } = setUp();
    const connection = connect(`/stream/${expected()}`);
    await clock.advance(9_999);
    expect(connection.destroyed).toBe(false);
    await clock.advance(1);
    expect([connection.destroyed, connected]).toEqual([true, []]);
  });
});
