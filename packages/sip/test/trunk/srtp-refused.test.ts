import { createServer, type TLSSocket } from 'node:tls';
import type { DialRequest, LegEnd, OutgoingCall } from '@va/core/adapter';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipRequest } from '../../src/message/message.ts';
import { parseMessage } from '../../src/message/parse.ts';
import type { SrtpMode } from '../../src/sdp/crypto.ts';
import { type SipTelephony, sip } from '../../src/sip.ts';
import { serverOptions } from '../../src/transport/tls-options.ts';
import { AnsweringHost } from '../support/answering-host.ts';
import { loopbackIdentity } from '../support/certificates.ts';
import { answerSdp } from '../support/dialing.ts';
import { loopback } from '../support/loopback.ts';
import { wire } from '../support/messages.ts';
import { bodyOf } from '../support/raw-peer.ts';
import { until } from '../support/until.ts';

type Answer = { readonly status: number; readonly sdp?: string };

/** A TLS provider that answers each INVITE as configured, and accepts every BYE. */
class TlsProvider {
  readonly invites: SipRequest[] = [];
  readonly answers: Answer[] = [];
  readonly #sockets = new Set<TLSSocket>();
  readonly #server = createServer(serverOptions(loopbackIdentity), (socket) => {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => this.#receive(chunk, socket));
  });

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #receive(chunk: Buffer, socket: TLSSocket): void {
    for (const text of chunk.toString().split(/(?=(?:INVITE|ACK|BYE) sip)/)) {
      const parsed = parseMessage(Buffer.from(text));
      if (!parsed.ok || parsed.message.kind !== 'request') continue;
      const { message } = parsed;
      if (message.method === 'BYE') this.#respond(message, { status: 200 }, socket);
      if (message.method !== 'INVITE') continue;
      this.invites.push(message);
      this.#respond(message, this.answers.shift() ?? { status: 500 }, socket);
    }
  }

  #respond(request: SipRequest, { status, sdp = '' }: Answer, socket: TLSSocket): void {
    const { headers } = request;
    const body = sdp.replace(/\r?\n/g, '\r\n');
    const copied = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${headers.get(name)}`);
    const to = `To: ${headers.get('To')}${request.method === 'INVITE' ? ';tag=p' : ''}`;
    const type = body === '' ? [] : ['Contact: <sip:p@127.0.0.1;transport=tls>', 'Content-Type: application/sdp'];
    const lines = [`SIP/2.0 ${status} Because`, ...copied, to, ...type, `Content-Length: ${body.length}`, '', body];
    socket.write(wire(lines.join('\n')));
  }
}

let provider: TlsProvider;
let port: number;
let telephony: SipTelephony;
let ends: LegEnd[];

beforeEach(async () => {
  ends = [];
  provider = new TlsProvider();
  port = await provider.listen();
});
afterEach(async () => {
  await telephony.close();
  await provider.close();
});

async function dial(srtp?: SrtpMode): Promise<OutgoingCall> {
  const listen = ['udp://127.0.0.1:0'];
  telephony = sip({
    listen,
    addresses: loopback,
    tls: { verify: false },
    trunkCheckMs: 0,
    ...(srtp !== undefined && { srtp }),
  });
  await telephony.start(new AnsweringHost());
  const trunk: DialRequest['trunk'] = { id: 't', address: `127.0.0.1:${port}`, transport: 'tls', credentials: null };
  const call = telephony.dial?.({ callId: 'call', destination: '+31687654321', callerNumber: '+31201', trunk });
  if (call === undefined) throw new Error('the adapter cannot dial');
  call.onEnd((end) => ends.push(end));
  return call;
}

const protocols = () => provider.invites.map((invite) => /m=audio \d+ (\S+)/.exec(bodyOf(invite))?.[1]);

describe('trunk over TLS that rejects SRTP', () => {
  it.each<[string, Answer]>([
    ['refuses the call', { status: 488 }],
    ['answers in the clear', { status: 200, sdp: answerSdp }],
    ['answers without a stream', { status: 200, sdp: answerSdp.replace(/m=audio \d+ RTP\/AVP/, 'm=audio 0 RTP/SAVP') }],
  ])('and %s is called again without encryption', async (_, refusal) => {
    provider.answers.push(refusal, { status: 200, sdp: answerSdp });
    const call = await dial();
    await call.whenAnswered();
    expect(protocols()).toEqual(['RTP/SAVP', 'RTP/AVP']);
    expect(bodyOf(provider.invites[1] ?? { body: new Uint8Array() })).not.toContain('a=crypto');
    expect(ends).toEqual([]);
    call.hangup();
  });

  it('is called only once when encryption is required', async () => {
    provider.answers.push({ status: 488 });
    await dial('required');
    await until(() => ends.length > 0, 'the call ends');
    expect(protocols()).toEqual(['RTP/SAVP']);
    expect(ends).toMatchObject([{ cause: 'not-answered', message: '488 Because' }]);
  });

  it('determines the result when it rejects both', async () => {
    provider.answers.push({ status: 488 }, { status: 488 });
    await dial();
    await until(() => ends.length > 0, 'the call ends');
    expect(protocols()).toEqual(['RTP/SAVP', 'RTP/AVP']);
  });

  it('is not called again after another rejection', async () => {
    provider.answers.push({ status: 486 });
    await dial();
    await until(() => ends.length > 0, 'the call ends');
    expect(provider.invites).toHaveLength(1);
  });
});
