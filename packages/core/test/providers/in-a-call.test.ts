import { callerFrame, type ScriptedTts, saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { llmConfigSchema, sttConfigSchema, ttsConfigSchema } from '../../src/domain/agents/agent.ts';
import { ProviderError } from '../../src/errors.ts';
import type { LanguageModel } from '../../src/ports/providers/language-model.ts';
import type { SpeechToText } from '../../src/ports/providers/speech-to-text.ts';
import type { TextToSpeech } from '../../src/ports/providers/text-to-speech.ts';
import type { ChainDependencies } from '../../src/providers/chain.ts';
import { modelChain } from '../../src/providers/model-chain.ts';
import { recognizerChain } from '../../src/providers/recognizer-chain.ts';
import { synthesizerChain } from '../../src/providers/synthesizer-chain.ts';
import { phoneCalls } from '../support/phone-calls.ts';
import { chainParts } from './support.ts';

const { ring } = phoneCalls();
const lost = new ProviderError('first', 'connection', 'connection lost');

type Shared = Pick<ChainDependencies, 'circuits' | 'orgId' | 'keys'>;

/** Wraps chains as providers, so that a whole call runs on them. */
function chained(
  stt: readonly [SpeechToText, SpeechToText],
  llm: readonly [LanguageModel, LanguageModel],
  tts: readonly [TextToSpeech, TextToSpeech],
): [SpeechToText, LanguageModel, TextToSpeech] {
  const format = { encoding: 'pcmu', sampleRateHz: 8_000 } as const;
  const { circuits, orgId, keys }: Shared = chainParts();
  const shared = { circuits, orgId, keys, encoding: format.encoding };
  const config = { provider: 'scripted' };
  const linkOf = <P, C>(provider: P, settings: C): { provider: P; config: C } => ({ provider, config: settings });
  return [
    {
      kind: 'stt',
      id: 'scripted',
      formats: [format],
      open(options) {
        const settings = sttConfigSchema.parse(config);
        return recognizerChain([linkOf(stt[0], settings), linkOf(stt[1], settings)], { ...shared, ...options });
      },
    },
    {
      kind: 'llm',
      id: 'scripted',
      stream(request) {
        const settings = llmConfigSchema.parse(config);
        return modelChain([linkOf(llm[0], settings), linkOf(llm[1], settings)], { ...shared, ...request }).stream(
          request,
        );
      },
    },
    {
      kind: 'tts',
      id: 'scripted',
      formats: [format],
      open(options) {
        const settings = ttsConfigSchema.parse(config);
        return synthesizerChain([linkOf(tts[0], settings), linkOf(tts[1], settings)], { ...shared, ...options });
      },
    },
  ];
}

const voices = (first: Partial<Parameters<typeof scriptedTts>[0]>): [ScriptedTts, ScriptedTts] => [
  scriptedTts({ id: 'first', code: 0x11, ...first }),
  scriptedTts({ id: 'second', code: 0x22 }),
];

describe('a call whose providers fail', () => {
  it('continues with the fallbacks, and the caller hears the whole conversation', async () => {
    const recognizers = [
      scriptedStt({ id: 'first' }),
      scriptedStt({ id: 'second', turns: ['what time is it'] }),
    ] as const;
    const models = [
      scriptedLlm([[lost]], { id: 'first' }),
      scriptedLlm([saying('It is noon.')], { id: 'second' }),
    ] as const;
    const [first, second] = voices({ breakAt: (text) => (text.startsWith('It') ? lost : null) });
    const providers = chained(recognizers, models, [first, second]);
    const call = await ring({ agent: { first_message: 'Hello.' }, service: { providers } });
    await call.quiet(1_000);
    recognizers[0].streams[0]?.fail(lost);
    await call.speak(800);
    await call.quiet(3_000);
    call.incoming.leave();
    await call.quiet(100);

    const stored = await call.stored();
    expect(stored.messages?.map(({ content }) => content)).toEqual(['Hello.', 'what time is it', 'It is noon.']);
    expect(stored).toMatchObject({ end_reason: 'user_hangup', error: null });
    expect(first.utterances).toEqual([['Hello.'], ['It is noon.']]);
    // The part of the failed utterance that was played is not spoken again.
    expect(second.utterances).toHaveLength(1);
    const codes = call.incoming.sent.flatMap((frame) => [...frame]).filter((code) => code !== callerFrame(false)[0]);
    expect(codes.filter((code, i) => code !== codes[i - 1])).toEqual([0x11, 0x22]);
    expect([first.openSessions, second.openSessions]).toEqual([0, 0]);
    expect(call.clock.pending).toBe(call.idleTimers);
  });
});
