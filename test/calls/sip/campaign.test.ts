import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lead } from '@va/core';
import { encodeG711 } from '@va/media';
import { hasHumanSpeech, humanSpeech } from '@va/test-servers/audio';
import { freePort, hasSipp, runSipp } from '@va/test-servers/sip-peers';
import { expect, it, vi } from 'vitest';
import { scriptedAgent } from '../../support/scripted-agent.ts';
import { agentNumber, startService } from '../../support/service.ts';

const maxConcurrentCalls = 6;
const maxAttempts = 2;

/** The number of each kind of phone in `called-phones.xml`, and the expected result of its leads. */
const kinds = [
  { name: 'a person', leads: 24, ends: 'completed user_hangup', attempts: 1 },
  { name: 'busy', leads: 10, ends: 'failed busy', attempts: maxAttempts },
  { name: 'declines', leads: 10, ends: 'failed declined', attempts: 1 },
  { name: 'rings out', leads: 8, ends: 'failed no_answer', attempts: maxAttempts },
  { name: 'voicemail', leads: 8, ends: 'completed voicemail', attempts: 1 },
] as const;

const leadsOf = kinds.map(({ leads }, kind) => Array.from({ length: leads }, (_, n) => numberOf(kind, n)));
const calls = kinds.reduce((total, { leads, attempts }) => total + leads * attempts, 0);

/** The second-to-last digit identifies the kind. */
function numberOf(kind: number, n: number): string {
  return `+3161234${String(Math.floor(n / 10) + 50).padStart(2, '0')}${kind}${n % 10}`;
}

interface Traced {
  readonly begun: number;
  readonly mostAtOnce: number;
}

/**
 * Reads the calls from SIPp's message trace, in order: each one lasts from its first INVITE until it is refused or
 * either side hangs up.
 */
function readTrace(text: string): Traced {
  const live = new Set<string>();
  const begun = new Set<string>();
  let mostAtOnce = 0;
  for (const message of text.split(/^-{20,} .*$/m)) {
    const callId = /^Call-ID: *(\S+)/im.exec(message)?.[1];
    if (callId === undefined) continue;
    if (/^INVITE sip:/m.test(message) && !begun.has(callId)) {
      begun.add(callId);
      live.add(callId);
      mostAtOnce = Math.max(mostAtOnce, live.size);
    }
    if (/^SIP\/2\.0 [3-6]\d\d /m.test(message) || /^BYE sip:/m.test(message)) live.delete(callId);
  }
  return { begun: begun.size, mostAtOnce };
}

it.skipIf(!(hasSipp() && hasHumanSpeech()))(
  'a campaign calls sixty phones of SIPp (Debian: sip-tester, asterisk-core-sounds-en-wav) within its limit ' +
    'of concurrent calls, and each lead gets the expected status and end reason',
  async ({ onTestFinished }) => {
    const dir = await mkdtemp(join(tmpdir(), 'va-campaign-'));
    const service = await startService({ agent: scriptedAgent({ turns: [] }) });
    onTestFinished(async () => {
      await service.close();
      await rm(dir, { recursive: true });
    });
    const { operations } = service.va;
    await writeFile(join(dir, 'hello.ul'), encodeG711('pcmu', await humanSpeech(300, 'hello-world')));
    // Without pauses, as an answering machine speaks.
    await writeFile(
      join(dir, 'greeting.ul'),
      encodeG711('pcmu', await humanSpeech(300, 'agent-pass', 'conf-getconfno')),
    );
    const sipPort = await freePort();
    const sipp = await runSipp({
      ...{ dir, sipPort, rtpPort: await freePort(), target: '127.0.0.1:9', calls: 1_000, timeoutSeconds: 170 },
      scenario: { xml: await readFile(new URL('called-phones.xml', import.meta.url), 'utf8') },
      messageFile: 'messages.log',
    });
    onTestFinished(() => sipp.stop());
    const trunk = { name: 'SIPp', provider: 'test', address: `127.0.0.1:${sipPort}`, numbers: [agentNumber] };
    await operations.trunks.create(service.orgId, trunk);
    const [agent] = await operations.agents.list(service.orgId, {});
    await operations.agents.update(service.orgId, agent?.id ?? '', { voicemail_detection: true });

    const { id } = await operations.campaigns.create(service.orgId, {
      name: 'Sixty',
      agent_id: agent?.id ?? '',
      ...{ schedule_start_time: '00:00', schedule_end_time: '23:59:59', timezone: 'UTC' },
      ...{ max_concurrent_calls: maxConcurrentCalls, max_attempts: maxAttempts, retry_delay_seconds: 2 },
    });
    const leads = leadsOf.flat().map((phoneNumber) => ({ phone_number: phoneNumber }));
    expect(await operations.leads.addMany(service.orgId, id, { leads })).toMatchObject({ created: 60, failed: 0 });
    await operations.campaigns.update(service.orgId, id, { status: 'scheduled' });
    const completed = vi.waitFor(
      async () => expect((await operations.campaigns.get(service.orgId, id)).status).toBe('completed'),
      { timeout: 150_000, interval: 200 },
    );
    const broken = sipp.exited.then((code) => {
      throw new Error(`SIPp exited with ${code}:\n${sipp.output.slice(-2_000)}`);
    });
    await Promise.race([completed, broken]);
    broken.catch(() => {});

    const { leads: after } = await operations.leads.list(service.orgId, id, { limit: 100 });
    const endOf = ({ status, last_end_reason: reason, attempts }: Lead): string => `${status} ${reason} ${attempts}`;
    for (const [kind, { name, ends, attempts }] of kinds.entries()) {
      const ended = after.filter(({ phone_number: number }) => leadsOf[kind]?.includes(number)).map(endOf);
      expect(ended, name).toEqual(leadsOf[kind]?.map(() => `${ends} ${attempts}`));
    }
    expect(await operations.campaigns.get(service.orgId, id)).toMatchObject({
      ...{ total_leads: 60, pending_leads: 0, calling_leads: 0, skipped_leads: 0 },
      ...{ completed_leads: 32, failed_leads: 28, total_calls: calls, answered_calls: 32 },
    });
    await sipp.stop();
    expect(await readFile(join(dir, 'errors.log'), 'utf8').catch(() => '')).not.toMatch(/unexpected|abort/i);
    const { begun, mostAtOnce } = readTrace(await readFile(join(dir, 'messages.log'), 'utf8'));
    expect(begun).toBe(calls);
    expect(mostAtOnce).toBeLessThanOrEqual(maxConcurrentCalls);
    // Without concurrent calls, the test would prove nothing about the limit.
    expect(mostAtOnce).toBeGreaterThan(maxConcurrentCalls / 2);
  },
);
