import { decodeG711 } from '@va/media';
import { seeded } from '@va/test-servers/audio';
import { type ScriptedReply, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { phoneCalls } from '../support/phone-calls.ts';
import { recordedCall } from './recorded-call.ts';

const { ring } = phoneCalls();
const story = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen.';

describe('13. the recording', () => {
  it('is as long as the call, with both sides aligned across interruptions, holds, gaps and silence', async () => {
    const recordings = recordedCall();
    const call = await ring({
      recordings,
      agent: {
        first_message: story,
        recording_enabled: true,
        speech_config: { silence: { timeout_ms: 60_000 } },
      },
      stt: scriptedStt({ turns: Array.from({ length: 200 }, (_, i) => (i % 4 === 3 ? '' : `Number ${i}, please.`)) }),
      llm: scriptedLlm((): ScriptedReply => [150, ...saying(story)]),
    });
    const random = seeded(5);
    const startedAtMs = call.clock.nowMs();
    const framesBefore = call.incoming.sent.length;
    while (call.clock.nowMs() - startedAtMs < 5 * 60_000) {
      const ms = 20 * Math.ceil(random() * 150);
      const act = random();
      if (act < 0.35) await call.speak(ms);
      else if (act < 0.75) await call.quiet(ms);
      else if (act < 0.9) await call.nothing(ms);
      else {
        call.incoming.receiving = false;
        await call.nothing(ms);
        call.incoming.receiving = true;
      }
    }
    const callFrames = framesBefore + Math.round((call.clock.nowMs() - startedAtMs) / 20);
    expect(call.notices.filter(({ type }) => type === 'interrupted').length).toBeGreaterThan(10);
    call.incoming.leave();
    await call.nothing(60);
    expect(recordings.closed).toBe(true);
    expect(recordings.frames('agent')).toHaveLength(call.incoming.sent.length);
    expect(Math.abs(recordings.frames('agent').length - callFrames)).toBeLessThanOrEqual(1);
    // The recorded frames equal the sent frames, at the same positions.
    const moved = recordings
      .frames('agent')
      .filter((frame, at) => frame[80] !== decodeG711('pcmu', call.incoming.sent[at] ?? new Uint8Array(160))[80]);
    expect(moved).toEqual([]);
  });

  it('has the caller’s audio at the frame in which it arrived, also after five minutes', async () => {
    const recordings = recordedCall();
    const call = await ring({
      recordings,
      agent: { recording_enabled: true, speech_config: { silence: { timeout_ms: 600_000 } } },
    });
    const spokenAt: number[] = [];
    for (const pauseMs of [500, 60_000, 120_000, 120_000]) {
      await call.quiet(pauseMs);
      spokenAt.push(call.incoming.sent.length);
      await call.speak(40);
    }
    await call.quiet(100);
    call.incoming.leave();
    await call.nothing(60);
    const loud = recordings.frames('caller').map((frame) => (frame[80] ?? 0) !== 0);
    const onsets = loud.flatMap((isLoud, at) => (isLoud && !loud[at - 1] ? [at] : []));
    expect(onsets).toHaveLength(4);
    const shifts = onsets.map((at, i) => at - (spokenAt[i] ?? 0));
    expect(shifts).toEqual([shifts[0], shifts[0], shifts[0], shifts[0]]);
    expect(Math.abs(shifts[0] ?? 99)).toBeLessThanOrEqual(1);
  });
});
