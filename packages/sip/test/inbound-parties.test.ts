import type { DialedNumber } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SipTelephony, sip } from '../src/sip.ts';
import { AnsweringHost } from './support/answering-host.ts';
import { offerText, requestText } from './support/messages.ts';
import { RawPeer } from './support/raw-peer.ts';

/** A host with one number that has a trunk at that address. */
class NumberHost extends AnsweringHost {
  readonly asked: string[] = [];
  trunkAddress = '127.0.0.1';

  numbersOf(dialed: string): Promise<DialedNumber[]> {
    this.asked.push(dialed);
    const trunk = { address: this.trunkAddress, username: null, password: async () => null };
    const number = { number: '+31201111111', isExact: true, trunks: [trunk] };
    return Promise.resolve(dialed === '+31201111111' ? [number] : []);
  }
}

let host: NumberHost;
let telephony: SipTelephony;
let peer: RawPeer;

async function start(inbound: 'trunks' | 'open' = 'trunks'): Promise<void> {
  host = new NumberHost(new VirtualClock());
  telephony = sip({
    listen: ['udp://127.0.0.1:0'],
    mediaWorkers: 0,
    inbound,
    timers: { t1Ms: 20, t2Ms: 80, t4Ms: 100 },
  });
  await telephony.start(host);
  peer = await RawPeer.open(telephony.addresses[0]?.port);
}

beforeEach(() => start());
afterEach(async () => {
  await telephony.close();
  await peer.close();
});

function invite(uri: string, to: string, headers: readonly string[] = [], callId = 'call'): void {
  const text = requestText({ port: peer.port, uri, headers, callId, sdp: offerText });
  peer.send(text.replace(/^To: .*$/m, `To: ${to}`));
}

async function refused(): Promise<void> {
  (await host.call()).reject('busy');
  await peer.response(486);
}

describe('dialed number (RFC 3261 §16.6)', () => {
  it('is taken from To when a registrar has put the registered Contact into the Request-URI', async () => {
    invite('sip:va@127.0.0.1:5060', '<sip:+31201111111@127.0.0.1>');
    const call = await host.call();
    expect(call.to).toMatchObject({ number: '+31201111111', uri: 'sip:+31201111111@127.0.0.1' });
    expect(call.dialed?.number).toBe('+31201111111');
    call.reject('busy');
    await peer.response(486);
  });

  it('is taken from P-Called-Party-ID before To, which may name the originally dialed party', async () => {
    invite('sip:va@127.0.0.1', '<sip:+31209999999@127.0.0.1>', ['P-Called-Party-ID: <sip:+31201111111@a.example>']);
    expect((await host.call()).to.number).toBe('+31201111111');
    expect(host.asked).toEqual(['va', '+31201111111']);
  });

  it('is taken from the Request-URI when that is registered, whatever To contains', async () => {
    invite('sip:+31201111111@127.0.0.1', '<sip:+31209999999@127.0.0.1>');
    await refused();
    expect(host.asked).toEqual(['+31201111111']);
  });

  it('is looked up in the same order when anybody may call', async () => {
    await telephony.close();
    await peer.close();
    await start('open');
    invite('sip:va@127.0.0.1', '<sip:+31201111111@127.0.0.1>');
    expect((await host.call()).to.number).toBe('+31201111111');
  });
});

describe('source that is not a trunk', () => {
  it('gets the same response for registered and unregistered numbers', async () => {
    host.trunkAddress = '127.0.0.9';
    const answers: string[] = [];
    for (const number of ['+31201111111', '+31209999999']) {
      invite(`sip:${number}@127.0.0.1`, `<sip:${number}@127.0.0.1>`, [], number);
      const { status, headers } = await peer.response(401);
      answers.push(
        `${status} ${headers
          .all('WWW-Authenticate')
          .join()
          .replace(/nonce="[^"]*"/g, '')}`,
      );
    }
    expect(answers[0]).toBe(answers[1]);
    expect(host.callCount).toBe(0);
  });
});

describe('P-Asserted-Identity (RFC 3325)', () => {
  const asserted = [
    'P-Asserted-Identity: "Bob" <sip:+31655555555@a.example>',
    'P-Asserted-Identity: <tel:+31655555555>',
  ];

  it('identifies the caller of a call through a trunk', async () => {
    invite('sip:+31201111111@127.0.0.1', '<sip:+31201111111@127.0.0.1>', asserted);
    expect((await host.call()).from).toMatchObject({ number: '+31655555555', displayName: 'Bob' });
  });

  it('is not shown when the caller asks for privacy', async () => {
    invite('sip:+31201111111@127.0.0.1', '<sip:+31201111111@127.0.0.1>', [...asserted, 'Privacy: id;critical']);
    expect((await host.call()).from.number).toBe('+31612345678');
  });

  it('is ignored when anybody may call', async () => {
    await telephony.close();
    await peer.close();
    await start('open');
    invite('sip:+31201111111@127.0.0.1', '<sip:+31201111111@127.0.0.1>', asserted);
    expect((await host.call()).from.number).toBe('+31612345678');
  });
});
