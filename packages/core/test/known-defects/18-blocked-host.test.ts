import { systemClock } from '@va/core/adapter';
import { encodeG711, loadSileroVad } from '@va/media';
import { hasHumanSpeech } from '@va/test-servers/audio';
import { callerFrame, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { sentences } from '../speech/corpus.ts';
import { PhoneCall } from '../support/phone-call.ts';

/** Blocks the event loop. */
function block(ms: number): void {
  const untilMs = systemClock.nowMs() + ms;
  while (systemClock.nowMs() < untilMs);
}

describe('18. a blocked event loop', () => {
  it.skipIf(!hasHumanSpeech()).each([50, 150, 400])(
    'of %s ms at a time loses no caller audio, and the agent answers once (asterisk-core-sounds-en-wav)',
    async (blockedMs) => {
      const [sentence] = await sentences(1);
      const codes = encodeG711('pcmu', sentence?.pcm ?? new Int16Array(0));
      const call = new PhoneCall({
        service: { clock: systemClock, vad: loadSileroVad() },
        stt: scriptedStt({ turns: ['Is it open?', 'Hello?', 'Hello?'] }),
        llm: scriptedLlm([saying('Yes, until ten.')]),
      });
      await call.prepare();
      await call.dial();
      const startedAtMs = systemClock.nowMs();
      let fed = 0;
      // Frames that arrive while the event loop is blocked are delivered afterwards, as by a socket.
      const feedDue = (): void => {
        for (; fed * 20 < systemClock.nowMs() - startedAtMs; fed++) {
          const frame = codes.subarray(fed * 160, (fed + 1) * 160);
          call.incoming.hear(frame.length === 160 ? frame : callerFrame(false));
        }
      };
      const feeding = setInterval(feedDue, 20);
      const blocking = setInterval(() => block(blockedMs), 3 * blockedMs + 100);
      const isAnswered = (): boolean => call.notices.some(({ type }) => type === 'agent-spoke');
      while (!isAnswered() && systemClock.nowMs() - startedAtMs < 15_000) await pause(20);
      clearInterval(feeding);
      clearInterval(blocking);
      const elapsedFrames = (systemClock.nowMs() - startedAtMs) / 20;
      const sentFrames = call.incoming.sent.length;
      call.incoming.leave();
      await pause(100);
      expect(isAnswered()).toBe(true);
      expect(call.notices.filter(({ type }) => type === 'user-turn')).toHaveLength(1);
      expect(call.tts.utterances).toHaveLength(1);
      // Up to ten ticks are made up for; a longer stall omits frames.
      expect(sentFrames).toBeGreaterThan(elapsedFrames * (blockedMs > 200 ? 0.6 : 0.9) - 15);
      expect(sentFrames).toBeLessThan(elapsedFrames + 15);
      await call.va.close({ drainMs: 0 });
    },
  );
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
