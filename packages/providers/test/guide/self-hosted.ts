import type { Provider } from '@va/core/adapter';
import { openai, openaiSpeech, openaiTranscription } from '@va/providers/openai';

const id = 'local';
const whisper = 'Systran/faster-whisper-small';

export const selfHosted: Provider[] = [
  openaiTranscription({ id, baseURL: 'http://speaches.internal:8000/v1', defaultModel: whisper }),
  openai({ id, baseURL: 'http://vllm.internal:8000/v1', apiKey: 'none', defaultModel: 'Qwen/Qwen3-8B' }),
  openaiSpeech({ id, baseURL: 'http://kokoro.internal:8880/v1', defaultModel: 'kokoro', defaultVoiceId: 'af_heart' }),
];
