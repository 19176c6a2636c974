import { z } from 'zod';

/** A voice of a text-to-speech provider. */
export const voiceSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** BCP 47 language tag. */
  language: z.string(),
  description: z.object({ en: z.string(), nl: z.string() }),
  provider: z.string(),
});

/** A voice that `tts_config.voiceId` can name. */
export type Voice = z.infer<typeof voiceSchema>;

/** A voice of a speech-to-speech model. */
export const realtimeVoiceSchema = z.object({ id: z.string(), name: z.string(), style: z.string() });

/** A voice of the realtime (speech-to-speech) mode, selected by `llm_config.voice`. */
export type RealtimeVoice = z.infer<typeof realtimeVoiceSchema>;

/** Response of `GET /voices`. */
export const voicesSchema = z.object({
  voices: z.array(voiceSchema),
  xai_realtime_voices: z.array(realtimeVoiceSchema),
});
/** Response of `GET /voices`. */
export type Voices = z.infer<typeof voicesSchema>;

/** Voices of xAI's speech-to-speech model. */
export const xaiRealtimeVoices: readonly RealtimeVoice[] = [
  { id: 'ara', name: 'Ara', style: 'female, professional' },
  { id: 'rex', name: 'Rex', style: 'male, friendly' },
  { id: 'sal', name: 'Sal', style: 'neutral, calm' },
  { id: 'eve', name: 'Eve', style: 'female, warm' },
  { id: 'leo', name: 'Leo', style: 'male, energetic' },
];
