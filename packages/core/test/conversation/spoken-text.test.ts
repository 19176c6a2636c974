import { saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();

describe('agent speech', () => {
  it('is synthesized from normalized text, and stored as it was written', async () => {
    const text = 'That is **€ 12,50** for 2 people 🎉.';
    const call = await ring({
      agent: { stt_config: { provider: 'scripted', language: 'nl' } },
      stt: scriptedStt({ turns: ['wat kost het'] }),
      llm: scriptedLlm([saying(text)]),
    });
    await call.speak(400);
    await call.quiet(6_000);
    call.incoming.leave();
    await call.quiet(40);
    expect(call.tts.utterances.flat().join(' ')).toContain('twaalf euro vijftig');
    expect(call.tts.utterances.flat().join(' ')).not.toMatch(/[*€🎉\d]/u);
    expect((await call.stored()).messages.at(-1)).toEqual({ role: 'assistant', content: text });
  });

  it('is stored up to a number in whose middle it was interrupted', async () => {
    const call = await ring({
      agent: { stt_config: { provider: 'scripted', language: 'en' } },
      stt: scriptedStt({ turns: ['my order please', 'wait'] }),
      llm: scriptedLlm([saying('Your number is 482915 and it is on its way to you now.'), saying('Yes?')]),
    });
    await call.speak(400);
    // At 50 ms per letter, "Your number is " takes 750 ms and the spelled digits more than another second.
    await call.quiet(560 + 900);
    await call.speak(600);
    await call.quiet(1_500);
    call.incoming.leave();
    await call.quiet(40);
    const { messages } = await call.stored();
    expect(messages[1]).toEqual({ role: 'assistant', content: 'Your number is' });
    expect(call.llm.requests[1]?.messages.at(-2)).toEqual({ role: 'assistant', content: 'Your number is' });
  });

  it('uses the pronunciations of the agent', async () => {
    const call = await ring({
      agent: {
        first_message: 'Welcome to Scheveningen.',
        speech_config: { pronunciations: [{ text: 'Scheveningen', say: 'Skhayfuhningun' }] },
      },
    });
    await call.quiet(3_000);
    expect(call.tts.utterances).toEqual([['Welcome to Skhayfuhningun.']]);
    expect(call.notices).toContainEqual(expect.objectContaining({ heard: 'Welcome to Scheveningen.' }));
  });

  it('is synthesized as written when normalize_text is off', async () => {
    const call = await ring({ agent: { first_message: 'Call 112.', speech_config: { normalize_text: false } } });
    await call.quiet(1_000);
    expect(call.tts.utterances).toEqual([['Call 112.']]);
  });

  it('without speakable text ends the agent’s turn silently', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['thanks', 'hello'] }),
      llm: scriptedLlm([saying('🎉'), saying('Hi.')]),
    });
    await call.speak(400);
    await call.quiet(2_000);
    expect(call.tts.utterances).toEqual([]);
    await call.speak(400);
    await call.quiet(2_000);
    expect(call.tts.utterances).toEqual([['Hi.']]);
  });
});
