import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeG711 } from '@va/media';
import { hasHumanSpeech, humanSpeech, wordsOf } from '@va/test-servers/audio';
import { freePort, hasSipp, runSipp } from '@va/test-servers/sip-peers';
import { describe, expect, it, type TestContext } from 'vitest';
import { callScenario } from '../../../packages/sip/test/support/sipp-scenario.ts';
import { type AgentUnderTest, agentNumber, startService, type TestService } from '../../support/service.ts';
import { hangingUp, hearAgent, spokenAgent, spokenWords } from '../../support/spoken-agent.ts';
import { level, recordingOf } from '../../support/stereo-recording.ts';

const installed = hasSipp() && hasHumanSpeech();

/** Time at which the person begins to speak; the agent has finished its first message by then. */
const speaksAtMs = 6_000;
/** Time for which the person listens; the agent hangs up much earlier, even on a slow machine. */
const listensForMs = 60_000;

describe.skipIf(!installed)('SIPp with rtp_stream (Debian: sip-tester, asterisk-core-sounds-en-wav)', () => {
  async function start(
    { onTestFinished }: TestContext,
    agent: AgentUnderTest,
  ): Promise<{ service: TestService; dir: string }> {
    const dir = await mkdtemp(join(tmpdir(), 'va-sipp-'));
    const service = await startService({ agent });
    onTestFinished(async () => {
      await service.close();
      await rm(dir, { recursive: true });
    });
    const speech = await humanSpeech(speaksAtMs, 'hello-world', listensForMs);
    await writeFile(join(dir, 'person.ul'), encodeG711('pcmu', speech));
    return { service, dir };
  }

  interface Calls {
    readonly transport: 'udp' | 'tcp';
    readonly calls: number;
    readonly agent: AgentUnderTest;
    /** Time until SIPp hangs up; undefined if the agent hangs up. */
    readonly pauseMs?: number;
  }

  async function callWithSipp(
    context: TestContext,
    { transport, calls, agent, ...scenario }: Calls,
  ): Promise<TestService> {
    const { service, dir } = await start(context, agent);
    const media = '<action><exec rtp_stream="person.ul,1,0,PCMU/8000"/></action>';
    const sipp = await runSipp({
      ...{ dir, transport, calls, timeoutSeconds: 90, scenario: { xml: callScenario({ media, ...scenario }) } },
      ...{ target: `127.0.0.1:${service.port(transport)}`, service: agentNumber },
      ...{ sipPort: await freePort(), rtpPort: await freePort() },
    });
    expect(await sipp.exited, sipp.output.slice(-2_000)).toBe(0);
    return service;
  }

  it.concurrent.for(['udp', 'tcp'] as const)(
    'is answered over %s, is understood, hears the agent, and hangs up',
    async (transport, context) => {
      const service = await callWithSipp(context, { transport, calls: 1, agent: spokenAgent(), pauseMs: 12_000 });
      const call = await service.ended(1);
      expect(call).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
      expect(call.messages.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
      expect(call.messages[1]?.content).toBe(wordsOf('hello-world'));
      const { caller, agent } = await recordingOf(service, call);
      expect(await hearAgent(agent.subarray(0, speaksAtMs * 8))).toBe(spokenWords.firstMessage);
      expect(level(caller, 0, speaksAtMs - 1_500)).toBeLessThan(20);
      expect(level(caller, speaksAtMs - 500, speaksAtMs + 1_500)).toBeGreaterThan(300);
    },
  );

  it('makes ten calls at once, and each caller is understood', async (context) => {
    const service = await callWithSipp(context, { transport: 'udp', calls: 10, agent: hangingUp(spokenAgent()) });
    await service.ended(10);
    expect(service.calls.map(({ status, end_reason }) => `${status} ${end_reason}`)).toEqual(
      Array.from({ length: 10 }, () => 'ended agent_hangup'),
    );
    for (const { messages } of service.calls) {
      const heard = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
      expect(heard).toEqual([wordsOf('hello-world')]);
      expect(messages.at(-1)?.role).toBe('assistant');
    }
  });
});
