import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { Provider } from '@va/core/adapter';
import { aiSdk } from '@va/providers/ai-sdk';

export const chatModels: Provider[] = [
  aiSdk((model, apiKey) => createAnthropic(apiKey === undefined ? {} : { apiKey })(model), {
    id: 'anthropic',
    defaultModel: 'claude-haiku-4-5',
  }),
  aiSdk((model, apiKey) => createGoogleGenerativeAI(apiKey === undefined ? {} : { apiKey })(model), {
    id: 'google',
    defaultModel: 'gemini-3-flash-preview',
  }),
];
