import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewOutboundCall } from '@va/core';
import { fromWav, hasHumanSpeech, humanSpeech, toWav, wordsOf } from '@va/test-servers/audio';
import { freePort, hasBaresip, hasSipp, runBaresip, runSipp } from '@va/test-servers/sip-peers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { hearAgent, spokenAgent, spokenWords } from '../../support/spoken-agent.ts';

const destination = '+31687654321';
let dir: string;
let service: TestService;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'va-outbound-'));
  service = await startService({ agent: spokenAgent() });
});
afterEach(async () => {
  await service.close();
  await rm(dir, { recursive: true });
});

/** Places a call through a trunk at this loopback port. */
async function place(port: number, options: Partial<NewOutboundCall> = {}): Promise<string> {
  const { operations } = service.va;
  const [number] = await operations.numbers.list(service.orgId);
  const agents = await operations.agents.list(service.orgId, {});
  await operations.trunks.create(service.orgId, {
    name: 'Loopback',
    provider: 'test',
    address: `127.0.0.1:${port}`,
    numbers: [number?.number ?? ''],
  });
  const agentId = agents[0]?.id ?? '';
  const { call_id } = await operations.calls.place(service.orgId, { destination, agent_id: agentId, ...options });
  return call_id;
}

describe.skipIf(!(hasBaresip() && hasHumanSpeech()))(
  'a called person on baresip (Debian: baresip-core, asterisk-core-sounds-en-wav)',
  () => {
    it('says hello, is greeted, is understood, and hangs up', async () => {
      const wavPath = join(dir, 'person.wav');
      await writeFile(wavPath, toWav(await humanSpeech(800, 'hello-world', 9_000, 'agent-pass', 6_000)));
      const sipPort = await freePort();
      const phone = await runBaresip({ dir, name: 'person', wavPath, sipPort, rtpPort: await freePort() });
      await phone.child.waitFor(/baresip is ready/, 20_000);
      try {
        await place(sipPort, { destination: `sip:person@127.0.0.1:${sipPort}` });
        await phone.child.waitFor(/packets: +\d+ +\d+/, 40_000);
      } finally {
        await phone.child.stop();
      }
      const call = await service.ended(1);
      expect(call).toMatchObject({ direction: 'outbound', status: 'ended', end_reason: 'user_hangup', error: null });
      expect(call.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
      const words = call.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
      expect(words).toEqual([wordsOf('hello-world'), wordsOf('agent-pass')]);
      const heard = fromWav(await readFile((await phone.heardPath()) ?? ''));
      expect(await hearAgent(heard.subarray(1_500 * 8, 9_500 * 8))).toBe(spokenWords.firstMessage);
    });
  },
);

describe.skipIf(!hasSipp())('a call to SIPp (Debian: sip-tester)', () => {
  const answer = (status: string): string => `
  <send><![CDATA[
      SIP/2.0 ${status}
      [last_Via:]
      [last_From:]
      [last_To:];tag=[call_number]
      [last_Call-ID:]
      [last_CSeq:]
      Content-Length: 0

  ]]></send>`;
  const invited = '<recv request="INVITE"></recv>';
  /** Sends the last response, again for each INVITE that a slow service retransmits before it reads the response. */
  const answerUntil = (status: string, request: string): string => `
  <label id="1"/>${answer(status)}
  <recv request="INVITE" optional="true" next="1"></recv>
  <recv request="${request}"></recv>`;
  const acknowledged = '<recv request="ACK"></recv>';

  async function callSipp(steps: string, options?: Partial<NewOutboundCall>): Promise<() => Promise<number | null>> {
    const sipPort = await freePort();
    const xml = `<?xml version="1.0" encoding="ISO-8859-1" ?><scenario name="called">${steps}</scenario>`;
    const sipp = await runSipp({
      ...{ dir, scenario: { xml }, target: '127.0.0.1:9', sipPort, rtpPort: await freePort(), timeoutSeconds: 20 },
    });
    await place(sipPort, options);
    return async () => await sipp.exited;
  }

  it.each([
    ['486 Busy Here', 'busy'],
    ['603 Decline', 'declined'],
    ['480 Temporarily Unavailable', 'no_answer'],
    ['404 Not Found', 'invalid_destination'],
    ['500 Server Error', 'dial_failed'],
    ['403 Forbidden', 'dial_failed'],
  ])('that is answered with %s ends as %s', async (status, reason) => {
    const exited = await callSipp(
      `${invited}${answer('100 Trying')}${answer('180 Ringing')}${answerUntil(status, 'ACK')}`,
    );
    expect(await service.ended(1)).toMatchObject({ status: 'failed', end_reason: reason, error: status });
    expect(await exited()).toBe(0);
  });

  it('that rings too long is cancelled', async () => {
    const exited = await callSipp(
      `${invited}${answerUntil('180 Ringing', 'CANCEL')}${answer('200 OK')}
      <send><![CDATA[
      SIP/2.0 487 Request Terminated
      [last_Via:]
      [last_From:]
      [last_To:];tag=[call_number]
      [last_Call-ID:]
      CSeq: 1 INVITE
      Content-Length: 0

      ]]></send>${acknowledged}`,
      { ring_timeout_seconds: 5 },
    );
    expect(await service.ended(1)).toMatchObject({ status: 'failed', end_reason: 'no_answer' });
    expect(await exited()).toBe(0);
  });
});

it('an outbound call fails when there is no response', async () => {
  await place(await freePort(), { ring_timeout_seconds: 5 });
  expect(await service.ended(1)).toMatchObject({
    status: 'failed',
    end_reason: expect.stringMatching(/no_answer|dial_failed/),
  });
});
