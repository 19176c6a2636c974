import type { LanguageModel } from './language-model.ts';
import type { RealtimeModel } from './realtime-model.ts';
import type { SpeechToText } from './speech-to-text.ts';
import type { TextToSpeech } from './text-to-speech.ts';

/** An entry of the host's provider registry. One id may name up to one provider of each kind. */
export type Provider = SpeechToText | LanguageModel | TextToSpeech | RealtimeModel;
