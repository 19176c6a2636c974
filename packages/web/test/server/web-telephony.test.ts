import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import type { CallGrant, IncomingCall, LegEnd, TelephonyHost } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DownMessage } from '../../src/protocol/messages.ts';
import type { WebCallsOptions } from '../../src/server/options.ts';
import { WebTelephony } from '../../src/server/web-telephony.ts';

const origin = 'https://www.example.com';
const path = '/voice/telephony/web/calls';
const opened: WebTelephony[] = [];
afterEach(async () => {
  for (const telephony of opened.splice(0)) await telephony.close();
});

/** The connection of a page before and after its upgrade to a WebSocket. */
class FakeConnection extends Duplex {
  #received = Buffer.alloc(0);

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    done();
  }

  /** First line of the answer to the upgrade. */
  get status(): string {
    return this.#received.toString('latin1').split('\r\n')[0] ?? '';
  }

  /** Messages of the service, which are not masked (RFC 6455 §5.1). */
  get messages(): DownMessage[] {
    const messages: DownMessage[] = [];
    let at = this.#received.indexOf('\r\n\r\n') + 4;
    while (at >= 4 && at < this.#received.length) {
      const byte = this.#received[at + 1] ?? 0;
      const start = at + (byte < 126 ? 2 : 4);
      const length = byte < 126 ? byte : this.#received.readUInt16BE(at + 2);
      if (this.#received[at] === 0x81)
        messages.push(JSON.parse(this.#received.toString('utf8', start, start + length)));
      at = start + length;
    }
    return messages;
  }

  /** Sends a text of the page, masked with zeros. */
  say(message: object): void {
    const text = Buffer.from(JSON.stringify(message));
    const head = text.length < 126 ? [0x81, 0x80 | text.length] : [0x81, 0xfe, text.length >> 8, text.length & 0xff];
    this.push(Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), text]));
  }
}

function setUp(options: WebCallsOptions = {}) {
  const clock = new VirtualClock();
  const calls: IncomingCall[] = [];
  const ends: LegEnd[] = [];
  const redeemed: (readonly [token: string, origin: string | null])[] = [];
  const state = { grant: { callId: 'c1', origin: null } as CallGrant | null, isFull: false, refusals: 0, fails: false };
  const host: TelephonyHost = {
    ...{ clock, logger: silentLogger },
    admits: () => !state.isFull,
    refused: () => {
      state.refusals += 1;
    },
    onIncomingCall(call) {
      calls.push(call);
      call.onEnd((end) => ends.push(end));
    },
    async redeem(token, from) {
      redeemed.push([token, from]);
      if (state.fails) throw new Error('The database is down.');
      return state.grant;
    },
  };
  const telephony = new WebTelephony(options);
  opened.push(telephony);
  const connect = (at = path, from: string | null = origin, address = '192.0.2.1'): FakeConnection => {
    const connection = new FakeConnection();
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      ...(from !== null && { origin: from }),
    };
    const request = { method: 'GET', url: at, headers } as unknown as IncomingMessage;
    telephony.upgrade(request, connection, Buffer.alloc(0), new URL(at, 'http://localhost'), address);
    return connection;
  };
  /** Connects a page, which sends its first message. */
  const page = async (first: object = {}, from?: string): Promise<FakeConnection> => {
    const connection = connect(path, from);
    connection.say({ type: 'hello', version: 1, token: 't1', ...first });
    await vi.waitFor(() => expect(connection.messages).not.toEqual([]), { interval: 1 });
    return connection;
  };
  return { clock, calls, ends, redeemed, state, host, telephony, connect, page };
}

describe('WebTelephony', () => {
  it.each(['www.example.com', 'https://www.example.com/', 'https://www.example.com/page', '*', ''])(
    'refuses %j in place of an origin',
    (wrong) => {
      expect(() => new WebTelephony({ origins: [origin, wrong] })).toThrow(
        expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(JSON.stringify(wrong)) }),
      );
    },
  );

  it.each([
    [{}, null],
    [{ publicUrl: 'https://node-1.example.com/voice' }, 'wss://node-1.example.com/voice/telephony/web/calls'],
    [{ publicUrl: 'http://localhost:8080/', id: 'pages' }, 'ws://localhost:8080/telephony/pages/calls'],
  ])('with %j has the URL %s', (options, url) => {
    expect(setUp(options).telephony.webCallUrl).toBe(url);
  });

  it.each([path, `${path}/a1`, '/voice/telephony/web/else', '/'])('serves no WHIP at %s without WebRTC', async (at) => {
    const { telephony, host } = setUp();
    await telephony.start(host);
    expect((await telephony.fetch(new Request(`http://localhost${at}`, { method: 'POST' }))).status).toBe(404);
  });
});

describe('the upgrade of a connection', () => {
  it('is refused before the start and after the close', async () => {
    const { telephony, host, connect } = setUp();
    expect(connect().status).toContain('503');
    await telephony.start(host);
    expect(connect().status).toContain('101');
    await telephony.close();
    expect(connect().status).toContain('503');
  });

  it.each(['/voice/telephony/web', `${path}/more`, '/voice/telephony/other/calls', '/'])(
    'is refused at %s',
    async (at) => {
      const { telephony, host, connect } = setUp();
      await telephony.start(host);
      expect(connect(at).status).toContain('404');
    },
  );

  it('is refused to pages of other origins and to an empty origin, but not to clients without one', async () => {
    const { telephony, host, connect } = setUp({ origins: [origin] });
    await telephony.start(host);
    expect(connect(path, 'https://evil.example').status).toContain('403');
    expect(connect(path, origin).status).toContain('101');
    expect(connect(path, '').status).toContain('403');
    expect(connect(path, null).status).toContain('101');
  });

  it('closes the oldest connection of an address that has more than 20 without a token', async () => {
    const { telephony, host, connect } = setUp();
    await telephony.start(host);
    const connections = Array.from({ length: 21 }, () => connect());
    const elsewhere = connect(path, origin, '198.51.100.1');
    expect(connections.map(({ destroyed }) => destroyed)).toEqual([true, ...Array(20).fill(false)]);
    expect(elsewhere.destroyed).toBe(false);
  });

  it('leaves 5 s for the first message', async () => {
    const { clock, telephony, host, connect } = setUp();
    await telephony.start(host);
    const connection = connect();
    await clock.advance(4_999);
    expect(connection.messages).toEqual([]);
    await clock.advance(1);
    expect(connection.messages).toMatchObject([{ type: 'error', code: 'hello_timeout' }]);
  });
});

describe('the call of a page', () => {
  it('begins with the grant of its token', async () => {
    const { telephony, host, page, calls, redeemed } = setUp();
    await telephony.start(host);
    const connection = await page();
    expect(connection.messages).toMatchObject([{ type: 'ready', version: 1, call_id: 'c1', resume_url: null }]);
    expect(redeemed).toEqual([['t1', origin]]);
    expect(calls).toHaveLength(1);
  });

  it.each([
    [{ audio: ['pcmu', 'pcm16'] }, {}, 'pcm16'],
    [{ audio: ['pcmu'] }, {}, 'pcmu'],
    [{}, {}, 'pcmu'],
    [{ audio: ['pcmu', 'pcm16'] }, { wideband: false }, 'pcmu'],
  ])('of a page with %j uses, with %j, the encoding %s', async (hello, options, encoding) => {
    const { telephony, host, page } = setUp(options);
    await telephony.start(host);
    expect((await page(hello)).messages).toMatchObject([{ type: 'ready', audio: { encoding } }]);
  });

  it('names the URL of this node to resume at', async () => {
    const { telephony, host, page } = setUp({ publicUrl: 'https://node-1.example.com' });
    await telephony.start(host);
    expect((await page()).messages).toMatchObject([{ resume_url: 'wss://node-1.example.com/telephony/web/calls' }]);
  });

  it('is refused for a token that is not valid', async () => {
    const { telephony, host, page, state, calls } = setUp();
    await telephony.start(host);
    state.grant = null;
    expect((await page()).messages).toMatchObject([{ type: 'error', code: 'token_refused' }]);
    expect(calls).toEqual([]);
  });

  it('is refused by a full node without redeeming the token, and when redeeming fails', async () => {
    const { telephony, host, page, state, redeemed } = setUp();
    await telephony.start(host);
    state.isFull = true;
    expect((await page()).messages).toMatchObject([{ type: 'error', code: 'overloaded' }]);
    expect([redeemed, state.refusals]).toEqual([[], 1]);
    state.isFull = false;
    state.fails = true;
    expect((await page()).messages).toMatchObject([{ type: 'error', code: 'overloaded' }]);
    expect(state.refusals).toBe(1);
  });

  it('is resumed by its secret, on another connection', async () => {
    const { telephony, host, page, calls } = setUp();
    await telephony.start(host);
    const [ready] = (await page()).messages;
    const secret = ready?.type === 'ready' ? ready.resume_secret : '';
    const again = await page({ type: 'resume', secret, received: 0 });
    expect(again.messages).toMatchObject([{ type: 'ready', call_id: 'c1' }]);
    expect(calls).toHaveLength(1);
  });

  it('is not resumed by a wrong secret, from another origin or after its end', async () => {
    const { clock, telephony, host, page, calls, state } = setUp();
    await telephony.start(host);
    state.grant = { callId: 'c1', origin };
    const [ready] = (await page()).messages;
    const secret = ready?.type === 'ready' ? ready.resume_secret : '';
    const refused = [{ type: 'error', code: 'resume_refused' }];
    expect((await page({ type: 'resume', secret: 'wrong', received: 0 })).messages).toMatchObject(refused);
    const resume = { type: 'resume', secret, received: 0 };
    expect((await page(resume, 'https://evil.example')).messages).toMatchObject(refused);
    calls[0]?.hangup();
    await clock.advance(0);
    expect((await page(resume)).messages).toMatchObject(refused);
  });

  it('ends with the service', async () => {
    const { clock, telephony, host, page, ends } = setUp();
    await telephony.start(host);
    await page();
    await page();
    await telephony.close();
    await clock.advance(0);
    expect(ends).toEqual([{ cause: 'local-hangup' }, { cause: 'local-hangup' }]);
  });
});
