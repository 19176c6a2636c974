import { type ScriptedReply, saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();

describe('16. latency and usage', () => {
  it('measure the TTS from its first text, not from the first token of the model', async () => {
    const slowly: ScriptedReply = ['Well', ' then', ' it', ' is', ' open', '.'].flatMap((text) => [
      200,
      ...saying(text),
    ]);
    const call = await ring({
      stt: scriptedStt({ turns: ['Is it open?'] }),
      llm: scriptedLlm([slowly]),
      tts: scriptedTts({ delayMs: 60 }),
      agent: { speech_config: { preemptive: { enabled: false } } },
    });
    await call.speak(500);
    await call.quiet(5_000);
    const latencies = call.notices.flatMap((notice) => (notice.type === 'latency' ? [notice.turn] : []));
    expect(latencies).toHaveLength(1);
    const [turn] = latencies;
    expect(turn?.llm_first_token_ms).toBe(200);
    expect(turn?.tts_first_byte_ms).toBe(60);
    // total_ms ends with the first sent frame, regardless of buffered audio.
    const firstFrame = call.incoming.sent.findIndex((frame) => frame.some((code) => code !== 0xff));
    const framesBefore = 500 / 20;
    expect(Math.abs((turn?.total_ms ?? 0) - (firstFrame - framesBefore) * 20)).toBeLessThanOrEqual(40);
    expect(turn?.total_ms).toBeGreaterThanOrEqual(turn?.first_audio_ms ?? 0);
  });

  it('count each turn, interruption and call once, regardless of the number of chunks', async () => {
    const pieces = 'One two three four five six seven eight nine ten.'.match(/\S+\s?/g) ?? [];
    const call = await ring({
      stt: scriptedStt({ turns: ['Tell me.', 'Wait.', 'Well?'] }),
      llm: scriptedLlm(() => pieces.flatMap((text): ScriptedReply => [20, ...saying(text)])),
      tts: scriptedTts({ msPerLetter: 80 }),
    });
    await call.speak(500);
    await call.quiet(1_700);
    await call.speak(800);
    await call.quiet(9_000);
    const types = call.notices.map(({ type }) => type);
    expect(types.filter((type) => type === 'interrupted')).toHaveLength(1);
    expect(types.filter((type) => type === 'latency')).toHaveLength(2);
    call.incoming.leave();
    await call.nothing(100);
    const stored = await call.stored();
    expect(stored.latency?.turns).toHaveLength(2);
    expect(stored.latency?.interruptions_ms).toHaveLength(1);
    const { logs, summary } = await call.va.operations.usage.list(call.orgId, {});
    expect(logs).toHaveLength(1);
    expect(summary).toMatchObject({ total_calls: 1, total_duration_seconds: stored.duration_seconds });
  });
});
