import { encodeG711, loadSileroVad } from '@va/media';
import { hasHumanSpeech } from '@va/test-servers/audio';
import { callerFrame, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { sentences } from '../speech/corpus.ts';
import { PhoneCall } from '../support/phone-call.ts';

const frameMs = 20;

describe('18. a blocked event loop', () => {
  it.skipIf(!hasHumanSpeech()).each([
    { blockedMs: 50, sentShare: 1 },
    { blockedMs: 150, sentShare: 1 },
    // Of 25 frames: five in time, and ten of the twenty that are late. The others are omitted.
    { blockedMs: 400, sentShare: 15 / 25 },
  ])(
    'of $blockedMs ms at a time loses no caller audio, and the agent answers once (asterisk-core-sounds-en-wav)',
    async ({ blockedMs, sentShare }) => {
      const [sentence] = await sentences(1);
      const codes = encodeG711('pcmu', sentence?.pcm ?? new Int16Array(0));
      const stt = scriptedStt({ turns: ['Is it open?', 'Hello?', 'Hello?'] });
      const call = new PhoneCall({
        service: { vad: loadSileroVad() },
        stt,
        llm: scriptedLlm([saying('Yes, until ten.')]),
      });
      await call.prepare();
      await call.dial();
      const { clock, incoming } = call;
      const startedAtMs = clock.nowMs();
      let fed = 0;
      const isAnswered = (): boolean => call.notices.some(({ type }) => type === 'agent-spoke');
      for (let step = 1; !isAnswered() && clock.nowMs() - startedAtMs < 15_000; step += 1) {
        await clock.advance(frameMs);
        if (step % 5 === 0) clock.block(blockedMs);
        // Frames that arrive while the event loop is blocked are delivered afterwards, as by a socket.
        for (; (fed + 1) * frameMs <= clock.nowMs() - startedAtMs; fed++) {
          const frame = codes.subarray(fed * 160, (fed + 1) * 160);
          incoming.hear(frame.length === 160 ? frame : callerFrame(false));
        }
      }
      expect(isAnswered()).toBe(true);
      expect(call.notices.filter(({ type }) => type === 'user-turn')).toHaveLength(1);
      expect(call.tts.utterances).toHaveLength(1);
      expect(stt.streams[0]?.received).toBe(fed * 160);
      const elapsedFrames = (clock.nowMs() - startedAtMs) / frameMs;
      expect(Math.abs(incoming.sent.length - elapsedFrames * sentShare)).toBeLessThanOrEqual(2);
      await call.close();
    },
  );
});
