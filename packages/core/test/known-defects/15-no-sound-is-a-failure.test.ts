import { ProviderError, type SpeechToText, type TextToSpeech } from '@va/core/adapter';
import { saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();

/** A TTS that succeeds without any audio. */
function muteVoice(): TextToSpeech {
  return {
    kind: 'tts',
    id: 'mute',
    formats: [{ encoding: 'pcmu', sampleRateHz: 8_000 }],
    open: () => ({
      speak: () => ({ push() {}, end() {}, cancel() {}, async *[Symbol.asyncIterator]() {} }),
      close() {},
    }),
  };
}

/** An STT whose streams fail 50 ms after they are opened. */
function fleetingRecognizer(): SpeechToText & { readonly opened: number } {
  const whole = scriptedStt({ id: 'fleeting' });
  let opened = 0;
  return {
    ...whole,
    get opened() {
      return opened;
    },
    open(options) {
      opened += 1;
      return {
        send() {},
        speechStarted() {},
        finalize() {},
        close() {},
        async *[Symbol.asyncIterator]() {
          await new Promise<void>((resolve) => {
            options.clock.setTimer(50, resolve);
          });
          throw new ProviderError('fleeting', 'connection', 'closed with 1008');
        },
      };
    },
  };
}

describe('15. a provider', () => {
  it('without audio output is replaced by its fallback', async () => {
    const tts = scriptedTts();
    const call = await ring({
      tts,
      extraProviders: [muteVoice()],
      agent: {
        first_message: 'Good evening.',
        tts_config: { provider: 'mute', fallbacks: [{ provider: 'scripted' }] },
      },
    });
    await call.quiet(3_000);
    expect(tts.utterances).toContainEqual(['Good evening.']);
    // 50 ms per letter, played once.
    expect(call.agentFrames()).toBe(Math.ceil(('Good evening.'.length * 50) / 20));
  });

  it('that fails repeatedly is replaced by its fallback instead of reopened', async () => {
    const fleeting = fleetingRecognizer();
    const call = await ring({
      stt: scriptedStt({ turns: ['Is it open?'] }),
      llm: scriptedLlm([saying('Yes.')]),
      extraProviders: [fleeting],
      agent: { stt_config: { provider: 'fleeting', fallbacks: [{ provider: 'scripted' }] } },
    });
    await call.quiet(1_000);
    await call.speak(600);
    await call.quiet(2_000);
    expect(call.tts.utterances).toEqual([['Yes.']]);
    expect(fleeting.opened).toBe(1);
  });

  it('that fails repeatedly without a fallback ends the call with its error', async () => {
    const fleeting = fleetingRecognizer();
    const call = await ring({ extraProviders: [fleeting], agent: { stt_config: { provider: 'fleeting' } } });
    await call.quiet(5_000);
    expect(call.ended).toMatchObject({ status: 'failed', end_reason: 'stt_error' });
    expect(fleeting.opened).toBeLessThanOrEqual(3);
  });
});
