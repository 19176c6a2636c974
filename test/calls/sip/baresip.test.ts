import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromWav, hasHumanSpeech, humanSpeech, toWav, wordsOf } from '@va/test-servers/audio';
import { freePort, hasBaresip, runBaresip } from '@va/test-servers/sip-peers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { hearAgent, spokenAgent, spokenWords } from '../../support/spoken-agent.ts';
import { callDurationMs, level, recordingOf } from '../../support/stereo-recording.ts';

const installed = hasBaresip() && hasHumanSpeech();

/** Time at which the person begins to speak; the agent has finished its first message by then. */
const speaksAtMs = 6_000;

describe.skipIf(!installed)('a caller on baresip (Debian: baresip-core, asterisk-core-sounds-en-wav)', () => {
  let dir: string;
  let service: TestService;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'va-baresip-'));
    service = await startService({ agent: spokenAgent() });
  });
  afterEach(async () => {
    await service.close();
    await rm(dir, { recursive: true });
  });

  it('is answered, is understood, hears the agent, and hangs up', async () => {
    const wavPath = join(dir, 'person.wav');
    await writeFile(wavPath, toWav(await humanSpeech(speaksAtMs, 'hello-world', 5_000, 'agent-pass', 5_000)));
    const phone = await runBaresip({
      ...{ dir, name: 'person', wavPath, dial: service.uri() },
      ...{ sipPort: await freePort(), rtpPort: await freePort() },
    });
    try {
      await phone.child.waitFor(/packets: +\d+ +\d+/, 40_000);
    } finally {
      await phone.child.stop();
    }
    const call = await service.ended(1);
    expect(call).toMatchObject({ status: 'ended', end_reason: 'user_hangup', error: null });
    const words = call.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
    expect(words).toEqual([wordsOf('hello-world'), wordsOf('agent-pass')]);
    expect(call.messages.filter(({ role }) => role === 'assistant')).toHaveLength(3);

    const sentMs = callDurationMs(call) - 1_000;
    expect(call.media?.received.packets).toBeGreaterThan(sentMs / 20);
    expect(call.media?.sent.packets).toBeGreaterThan(sentMs / 20);
    expect(call.media).toMatchObject({ received: { packets_lost: 0 }, sent: { packets_lost: 0 } });
    expect(call.media?.round_trip_ms).toBeGreaterThanOrEqual(0);

    const heard = fromWav(await readFile((await phone.heardPath()) ?? ''));
    const [first, rest] = [heard.subarray(0, speaksAtMs * 8), heard.subarray((speaksAtMs + 1_000) * 8)];
    expect(await hearAgent(first)).toBe(spokenWords.firstMessage);
    expect(await hearAgent(rest.subarray(0, 5_500 * 8))).toBe(spokenWords.reply);

    const recording = await recordingOf(service, call);
    expect(Math.abs(recording.durationMs - callDurationMs(call))).toBeLessThan(500);
    const sides = (fromMs: number, toMs: number) => [
      level(recording.caller, fromMs, toMs) > 300,
      level(recording.agent, fromMs, toMs) > 300,
    ];
    expect(sides(500, 3_000)).toEqual([false, true]);
    expect(sides(speaksAtMs + 200, speaksAtMs + 1_100)).toEqual([true, false]);
    expect(await hearAgent(recording.agent.subarray(0, speaksAtMs * 8))).toBe(spokenWords.firstMessage);
  });
});
