import { ProviderError } from '@va/core';
import { ScriptedIncomingCall, saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { dialedNumber } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();
function lost(): never {
  throw refused();
}

const refused = (): Error => new ProviderError('scripted', 'unavailable', 'overloaded');

describe('a failed provider', () => {
  it('is replaced by the fallback LLM, which gets the same conversation', async () => {
    const second = scriptedLlm([saying('From the second.')], { id: 'second' });
    const call = await ring({
      agent: {
        llm_config: {
          provider: 'scripted',
          messages: [{ role: 'system', content: 'Be brief.' }],
          fallbacks: [{ provider: 'second', model: 'small' }],
        },
      },
      stt: scriptedStt({ turns: ['hello'] }),
      llm: scriptedLlm([[refused()]]),
      extraProviders: [second],
    });
    await call.speak(400);
    await call.quiet(2_000);
    expect(call.tts.utterances).toEqual([['From the second.']]);
    expect(second.requests[0]).toMatchObject({
      config: { provider: 'second', model: 'small' },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello' },
      ],
    });
  });

  it('is replaced by the fallback TTS before any audio is played', async () => {
    const second = scriptedTts({ id: 'second' });
    const call = await ring({
      agent: { first_message: 'Hello.', tts_config: { provider: 'scripted', fallbacks: [{ provider: 'second' }] } },
      tts: { ...scriptedTts(), open: () => lost() },
      extraProviders: [second],
    });
    await call.quiet(2_000);
    expect(call.ended).toBeNull();
    expect(second.utterances).toEqual([['Hello.']]);
  });

  it('is replaced by the fallback STT, which also receives the audio before the failure', async () => {
    const second = scriptedStt({ id: 'second', turns: ['book a table'] });
    const call = await ring({
      agent: { stt_config: { provider: 'scripted', fallbacks: [{ provider: 'second' }] } },
      llm: scriptedLlm([saying('Booked.')]),
      extraProviders: [second],
    });
    await call.speak(300);
    call.stt.streams[0]?.fail(refused());
    await call.speak(300);
    await call.quiet(2_000);
    expect(call.llm.requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'book a table' });
    expect(second.streams[0]?.received).toBeGreaterThan(300 * 8);
  });
});

describe('the first message', () => {
  it('is synthesized once for several calls', async () => {
    const call = await ring({ agent: { first_message: 'Hello, you have reached the office.' } });
    await call.quiet(3_000);
    call.incoming.leave();
    await call.quiet(100);
    expect(call.tts.utterances).toHaveLength(1);
    const frames = call.agentFrames();
    await call.dial(new ScriptedIncomingCall({ to: dialedNumber, id: 'second' }));
    await call.quiet(3_000);
    expect(call.tts.utterances).toHaveLength(1);
    expect(call.agentFrames()).toBe(frames);
  });
});
