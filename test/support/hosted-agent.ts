import { deepgram } from '@va/providers/deepgram';
import { elevenlabs } from '@va/providers/elevenlabs';
import { openai } from '@va/providers/openai';
import { levelVad } from '@va/testkit';
import { DeepgramServer, type ElevenLabsBehaviour, ElevenLabsServer, OpenAiServer } from '@va/testkit/provider-servers';
import type { TestContext } from 'vitest';
import { type ServiceOptions, startService, type TestService } from './service.ts';

export interface HostedService extends TestService {
  readonly deepgram: DeepgramServer;
  readonly openai: OpenAiServer;
  readonly elevenlabs: ElevenLabsServer;
}

export interface HostedOptions extends Omit<ServiceOptions, 'agent'> {
  readonly firstMessage: string;
  /** The transcripts that Deepgram returns, one per turn. */
  readonly turns: readonly string[];
  /** The behaviour of ElevenLabs. */
  readonly voiceBehaviour?: Partial<ElevenLabsBehaviour>;
}

/** Starts a service whose agent uses the adapters of hosted providers, each connected to its own test server. */
export async function startHosted(context: TestContext, options: HostedOptions): Promise<HostedService> {
  const apiKey = 'key';
  const stt = await DeepgramServer.start({ turns: options.turns });
  const llm = await OpenAiServer.start();
  const tts = await ElevenLabsServer.start(options.voiceBehaviour);
  const service = await startService({
    ...options,
    agent: {
      providers: [
        deepgram({ apiKey, baseUrl: stt.url }),
        openai({ apiKey, baseURL: llm.url }),
        elevenlabs({ apiKey, baseUrl: tts.url }),
      ],
      vad: levelVad(),
      config: {
        first_message: options.firstMessage,
        stt_config: { provider: 'deepgram', model: 'nova-3', language: 'en' },
        llm_config: { provider: 'openai', tools: [{ type: 'function', name: 'look_up' }] },
        tts_config: { provider: 'elevenlabs' },
        // Long enough that a delay on a busy machine does not split a turn. The model's replies are in order, so a
        // discarded preparation would consume one.
        speech_config: {
          vad: { min_silence_ms: 400 },
          endpointing: { min_delay_ms: 400 },
          preemptive: { enabled: false },
        },
      },
    },
  });
  context.onTestFinished(async () => {
    await service.close();
    await Promise.all([stt.close(), llm.close(), tts.close()]);
  });
  return { ...service, deepgram: stt, openai: llm, elevenlabs: tts };
}
