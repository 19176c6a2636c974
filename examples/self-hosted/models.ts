import type { Provider } from '@va/core/adapter';
import { openai, openaiSpeech, openaiTranscription } from '@va/providers/openai';

/** Base URLs of OpenAI-compatible servers. */
export interface ModelUrls {
  /** Transcription, such as speaches or a whisper server. */
  readonly transcription: string;
  /** Chat completions, such as vLLM or Ollama. */
  readonly chat: string;
  /** Speech, such as Kokoro. */
  readonly speech: string;
}

/** Returns the providers of an agent whose models all run in your own network. */
export function selfHosted({ transcription, chat, speech }: ModelUrls): Provider[] {
  return [
    openaiTranscription({ id: 'local', baseURL: transcription, defaultModel: 'Systran/faster-whisper-small' }),
    openai({ id: 'local', baseURL: chat, apiKey: 'none', defaultModel: 'Qwen/Qwen3-8B' }),
    openaiSpeech({ id: 'local', baseURL: speech, defaultModel: 'kokoro', defaultVoiceId: 'af_heart' }),
  ];
}
