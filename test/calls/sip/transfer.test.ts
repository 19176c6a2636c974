import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasHumanSpeech, humanSpeech, toWav } from '@va/test-servers/audio';
import { freePort, hasBaresip, hasSipp, runBaresip, runSipp } from '@va/test-servers/sip-peers';
import { createSipCaller } from '@va/testkit/sip-caller';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentNumber, startService, type TestService } from '../../support/service.ts';
import { level } from '../../support/stereo-recording.ts';

let dir: string;
let service: TestService;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'va-transfer-'));
  service = await startService();
});
afterEach(async () => {
  await service.close();
  await rm(dir, { recursive: true });
});

async function transfer(destination: string): Promise<void> {
  const { operations } = service.va;
  const { calls } = await operations.calls.list(service.orgId, {});
  await operations.calls.control(service.orgId, calls[0]?.id ?? '', { type: 'transfer', destination });
}

describe.skipIf(!(hasBaresip() && hasHumanSpeech()))(
  'a caller whose network refuses REFER (Debian: baresip-core, asterisk-core-sounds-en-wav)',
  () => {
    it('is bridged by the service to a person on baresip, who hangs up', async () => {
      const wavPath = join(dir, 'desk.wav');
      await writeFile(wavPath, toWav(await humanSpeech(1_500, 'agent-pass', 1_500)));
      const sipPort = await freePort();
      const desk = await runBaresip({ dir, name: 'desk', wavPath, sipPort, rtpPort: await freePort() });
      await desk.child.waitFor(/baresip is ready/, 20_000);
      const { operations } = service.va;
      const trunk = await operations.trunks.create(service.orgId, {
        name: 'Desk',
        provider: 'test',
        address: `127.0.0.1:${sipPort}`,
      });
      const [number] = await operations.numbers.list(service.orgId);
      await operations.numbers.update(service.orgId, number?.id ?? '', { transfer_trunk_id: trunk.id });
      try {
        const call = await createSipCaller().dial(service.uri());
        await call.waitForSpeech();
        await call.waitForSilence({ ms: 800 });
        const before = call.heard().pcm.length;
        await transfer(`sip:desk@127.0.0.1:${sipPort}`);
        await call.say(new Int16Array(8_000 * 3).map((_, i) => 6_000 * Math.sin(i / 3)));
        expect((await call.ended).by).toBe('far-end');
        const heard = call.heard().pcm.subarray(before);
        expect(level(heard, 0, heard.length / 8)).toBeGreaterThan(200);
        expect(await service.ended(1)).toMatchObject({
          end_reason: 'transferred',
          transfer_destination: `sip:desk@127.0.0.1:${sipPort}`,
        });
        // baresip prints its statistics some time after the call has ended.
        await desk.child.waitFor(/packets: +\d+ +\d+/, 10_000);
        await expect.poll(() => service.va.activeCalls).toBe(0);
      } finally {
        await desk.child.stop();
      }
    });
  },
);

describe.skipIf(!hasSipp())('a caller whose network supports REFER (SIPp; Debian: sip-tester)', () => {
  it('is released once the network has reached the destination', async () => {
    const sipp = await runSipp({
      ...{ dir, scenario: { xml: referredCaller }, target: `127.0.0.1:${service.port('udp')}`, service: agentNumber },
      ...{ sipPort: await freePort(), rtpPort: await freePort(), timeoutSeconds: 30 },
    });
    await expect.poll(() => service.va.activeCalls).toBe(1);
    await expect.poll(() => service.notices.some(({ type }) => type === 'agent-spoke')).toBe(true);
    await transfer('+31201112223');
    expect(await sipp.exited, sipp.output.slice(-2_000)).toBe(0);
    expect(await service.ended(1)).toMatchObject({
      end_reason: 'transferred',
      transfer_destination: '+31201112223',
    });
  });
});

const dialog = `
      From: <sip:+31612345678@[local_ip]:[local_port]>;tag=[call_number]
      To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
      Call-ID: [call_id]
      Contact: <sip:sipp@[local_ip]:[local_port]>
      Max-Forwards: 70`;
const via = 'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]';
const notify = (cseq: number, state: string, fragment: string): string => `
  <send retrans="500"><![CDATA[
      NOTIFY sip:[service]@[remote_ip]:[remote_port] SIP/2.0
      ${via}${dialog}
      CSeq: ${cseq} NOTIFY
      Event: refer
      Subscription-State: ${state}
      Content-Type: message/sipfrag
      Content-Length: [len]

      ${fragment}
  ]]></send>
  <recv response="200"></recv>`;
const okay = (status: string): string => `
  <send><![CDATA[
      SIP/2.0 ${status}
      [last_Via:]
      [last_From:]
      [last_To:]
      [last_Call-ID:]
      [last_CSeq:]
      Contact: <sip:sipp@[local_ip]:[local_port]>
      Content-Length: 0

  ]]></send>`;

/** Calls, accepts a REFER to the number, reports its progress in two steps, and is hung up. */
const referredCaller = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="referred">
  <send retrans="500"><![CDATA[
      INVITE sip:[service]@[remote_ip]:[remote_port] SIP/2.0
      ${via}
      From: <sip:+31612345678@[local_ip]:[local_port]>;tag=[call_number]
      To: <sip:[service]@[remote_ip]:[remote_port]>
      Call-ID: [call_id]
      CSeq: 1 INVITE
      Contact: <sip:sipp@[local_ip]:[local_port]>
      Max-Forwards: 70
      Content-Type: application/sdp
      Content-Length: [len]

      v=0
      o=sipp 1 1 IN IP[local_ip_type] [local_ip]
      s=-
      c=IN IP[media_ip_type] [media_ip]
      t=0 0
      m=audio [auto_media_port] RTP/AVP 0
      a=rtpmap:0 PCMU/8000
  ]]></send>
  <recv response="100" optional="true"></recv>
  <recv response="180" optional="true"></recv>
  <recv response="200"></recv>
  <send><![CDATA[
      ACK sip:[service]@[remote_ip]:[remote_port] SIP/2.0
      ${via}${dialog}
      CSeq: 1 ACK
      Content-Length: 0

  ]]></send>
  <recv request="REFER"><action>
    <ereg regexp="sip:\\+31201112223@127.0.0.1" search_in="hdr" header="Refer-To:" check_it="true" assign_to="1"/>
    <log message="[$1]"/>
  </action></recv>${[
    okay('202 Accepted'),
    notify(2, 'active;expires=60', 'SIP/2.0 100 Trying'),
    notify(3, 'terminated;reason=noresource', 'SIP/2.0 200 OK'),
  ].join('')}
  <recv request="BYE"></recv>${okay('200 OK')}
</scenario>
`;
