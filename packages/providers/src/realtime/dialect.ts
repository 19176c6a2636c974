import type { AudioFormat, LlmConfig, LlmTool, Logger } from '@va/core';
import type { ZodObject } from 'zod';
import type { Fields } from '../shared/json.ts';

/** What a session is told about itself, on each of its connections. */
export interface SessionSettings {
  readonly config: LlmConfig;
  readonly logger: Logger;
  readonly instructions: string;
  readonly tools: readonly LlmTool[];
  /** Words that the caller may say. */
  readonly hints?: readonly string[];
  readonly inputFormat: AudioFormat;
  readonly outputFormat: AudioFormat;
}

/** What differs between the vendors of one protocol. */
export interface RealtimeDialect {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly vendor: string;
  /** Settings of `llm_config` beside the common ones. */
  readonly optionsSchema: ZodObject;
  /** Without the `/realtime` at its end. */
  readonly publicUrl: string;
  readonly keyVariable: string;
  readonly defaultModel: string;
  /** How long the vendor keeps a session. */
  readonly maxSessionMs: number;
  /** `session` of the first `session.update`. */
  session(settings: SessionSettings): Fields;
  /** `session` of an update of nothing but the instructions. */
  instructions(text: string): Fields;
  /** The event that asks for a response of exactly this text. */
  say(text: string): Fields;
}

const formatTypes = { pcmu: 'audio/pcmu', pcma: 'audio/pcma', pcm16: 'audio/pcm' } as const;

/** Both vendors name a rate for PCM alone: G.711 has but one. */
export function formatOf({ encoding, sampleRateHz }: AudioFormat): Fields {
  const type = formatTypes[encoding];
  return encoding === 'pcm16' ? { type, rate: sampleRateHz } : { type };
}

export function toolOf({ name, description, parameters }: LlmTool): Fields {
  return { type: 'function', name, description, parameters };
}
