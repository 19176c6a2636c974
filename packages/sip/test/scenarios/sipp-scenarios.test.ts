import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@va/core/adapter';
import { RtpLeg } from '@va/media';
import { type Child, freePort, hasSipp, runSipp, untilBound } from '@va/test-servers/sip-peers';
import { silentLogger } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DigestServer } from '../../src/auth/digest-server.ts';
import type { IncomingInvite } from '../../src/dialog/invite/incoming-invite.ts';
import type { OutgoingEnd, OutgoingInvite } from '../../src/dialog/invite/outgoing-invite.ts';
import { RtpSession } from '../../src/media/rtp-session.ts';
import { parseNameAddr } from '../../src/message/name-addr.ts';
import { UserAgent } from '../../src/user-agent.ts';
import { until } from '../support/until.ts';

let dir: string;
let agent: UserAgent;
let reported: (string | OutgoingEnd)[];
let digits: string[];

async function openMedia(): Promise<RtpSession> {
  const leg = await RtpLeg.open({ clock: systemClock, random: systemRandom, address: '127.0.0.1' });
  leg.onDtmf(({ digit }) => digits.push(digit));
  return new RtpSession({ leg, codecs: ['pcmu', 'pcma'], address: '127.0.0.1', random: systemRandom });
}

/** Answers a call; header fields of the scenario can request another behaviour. */
async function take(invite: IncomingInvite, server: DigestServer): Promise<void> {
  const { headers } = invite.request;
  if (headers.get('X-Authentication') === 'required') {
    const user = await invite.requireDigest(server, (name) => (name === 'ann' ? 'secret' : null));
    if (user === null) return;
  }
  invite.listen({ onConfirmed: () => reported.push('confirmed'), onEnd: ({ cause }) => reported.push(cause) });
  invite.ring();
  if (headers.get('X-Answer') !== 'never') invite.accept(await openMedia());
}

beforeEach(async () => {
  [reported, digits] = [[], []];
  dir = await mkdtemp(join(tmpdir(), 'va-peers-'));
  const server = new DigestServer({ clock: systemClock, random: systemRandom, realm: 'va', algorithms: ['MD5'] });
  agent = await UserAgent.open({
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    listen: ['udp://127.0.0.1:0'],
    onInvite: (invite) => void take(invite, server),
  });
});
afterEach(async () => {
  await agent.close();
  await rm(dir, { recursive: true, force: true });
});

async function play(name: string, sipPort: number): Promise<Child> {
  const xml = await readFile(new URL(`${name}.xml`, import.meta.url), 'utf8');
  const target = `127.0.0.1:${agent.addresses[0]?.port}`;
  return runSipp({ dir, target, scenario: { xml }, sipPort, rtpPort: await freePort(), timeoutSeconds: 20 });
}

describe.skipIf(!hasSipp())('caller played by SIPp (Debian package sip-tester)', () => {
  it.each([
    ['basic-call', ['confirmed', 'remote-hangup']],
    ['cancel', ['canceled']],
    ['re-invite', ['confirmed', 'confirmed', 'confirmed', 'confirmed', 'confirmed', 'confirmed', 'remote-hangup']],
    ['prack', ['confirmed', 'remote-hangup']],
    ['session-timer', ['confirmed', 'confirmed', 'remote-hangup']],
    ['digest-authentication', ['confirmed', 'remote-hangup']],
    ['late-ack', ['confirmed', 'remote-hangup']],
    ['dtmf-by-info', ['confirmed', 'remote-hangup']],
    ['rejected-requests', ['confirmed', 'remote-hangup']],
    ['srtp-required', ['confirmed', 'remote-hangup']],
    ['many-codecs', ['confirmed', 'remote-hangup']],
    ['merged-request', ['canceled']],
  ])('%s', async (name, expected) => {
    const sipp = await play(name, await freePort());
    expect(await sipp.exited, sipp.output.slice(-3_000)).toBe(0);
    await until(() => reported.length >= expected.length, 'all is reported');
    expect(reported).toEqual(expected);
    expect(digits).toEqual(name === 'dtmf-by-info' ? ['5', '#'] : []);
  });
});

describe.skipIf(!hasSipp())('callee played by SIPp (Debian package sip-tester)', () => {
  async function playCallee(name: string, port: number): Promise<Child> {
    const sipp = await play(name, port);
    expect(await untilBound(port), sipp.output).toBe(true);
    return sipp;
  }

  async function dial(port: number): Promise<OutgoingInvite> {
    const uri = `sip:bob@127.0.0.1:${port};transport=udp`;
    const flow = agent.flowTo({ transport: 'udp', address: '127.0.0.1', port });
    const [from, to] = [parseNameAddr('<sip:ann@127.0.0.1>'), parseNameAddr(`<${uri}>`)];
    if (!flow || !from || !to) throw new Error('no flow to the peer');
    const credentials = { username: 'ann', password: 'secret' };
    return agent.invite(
      { uri, from, to, flow, media: await openMedia(), credentials },
      {
        onProgress: (status) => reported.push(String(status)),
        onEarlyMedia: () => reported.push('early media'),
        onAnswered: () => reported.push('answered'),
        onEnd: ({ cause }) => reported.push(cause),
      },
    );
  }

  const hangup = (call: OutgoingInvite) => call.hangup();
  const transfer = async (call: OutgoingInvite) => {
    const outcome = await call.session?.refer('sip:carol@127.0.0.1');
    reported.push(outcome?.type ?? 'no session');
    call.hangup();
  };
  const stay = () => {};

  it.each([
    ['answered', hangup, ['180', 'answered', 'local-hangup']],
    ['digest-challenge', hangup, ['answered', 'local-hangup']],
    ['challenge-without-qop', hangup, ['answered', 'local-hangup']],
    ['early-media', hangup, ['183', 'early media', '180', 'answered', 'local-hangup']],
    ['reliable-early-media', hangup, ['183', 'early media', 'answered', 'local-hangup']],
    ['session-refresh', stay, ['answered', 'remote-hangup']],
    ['forked-answers', stay, ['answered', 'remote-hangup']],
    ['refer', transfer, ['answered', 'accepted', 'local-hangup']],
    ['refer-then-bye', transfer, ['answered', 'accepted', 'remote-hangup']],
    ['refer-rejected', transfer, ['answered', 'refused', 'local-hangup']],
    ['private-contact', hangup, ['answered', 'local-hangup']],
    ['record-route', hangup, ['answered', 'local-hangup']],
    ['session-interval-too-small', hangup, ['answered', 'local-hangup']],
    ['stale-nonce', hangup, ['answered', 'local-hangup']],
    ['auth-int', hangup, ['answered', 'local-hangup']],
  ] as const)('%s', async (name, act, expected) => {
    const port = await freePort();
    const sipp = await playCallee(name, port);
    const call = await dial(port);
    await until(() => reported.some((each) => !/^\d|^early/.test(String(each))), 'it is answered', 10_000);
    await act(call);
    expect(await sipp.exited, sipp.output.slice(-3_000)).toBe(0);
    await until(() => reported.length >= expected.length, 'all is reported');
    expect(reported).toEqual(expected);
  });

  it('answer-crosses-cancel', async () => {
    const port = await freePort();
    const sipp = await playCallee('answer-crosses-cancel', port);
    const call = await dial(port);
    await until(() => reported.includes('180'), 'it rings', 10_000);
    call.hangup();
    expect(await sipp.exited, sipp.output.slice(-3_000)).toBe(0);
    await until(() => reported.length >= 2, 'all is reported');
    expect(reported).toEqual(['180', 'local-hangup']);
  });
});
