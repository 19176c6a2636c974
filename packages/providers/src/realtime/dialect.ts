import type { ByokProvider, LlmConfig } from '@va/core';
import type { AudioFormat, LlmTool, Logger } from '@va/core/adapter';
import type { ZodObject } from 'zod';
import type { VendorFields } from '../shared/json.ts';

/** Parameters of a session, sent on each of its connections. */
export interface SessionSettings {
  readonly config: LlmConfig;
  readonly logger: Logger;
  readonly instructions: string;
  readonly tools: readonly LlmTool[];
  /** Key terms: words that the caller may say. */
  readonly hints?: readonly string[];
  readonly inputFormat: AudioFormat;
  readonly outputFormat: AudioFormat;
}

/** Properties in which vendors of the OpenAI Realtime protocol differ. */
export interface RealtimeDialect {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly vendor: string;
  /** Entry of the vendor in the list of BYOK providers. */
  readonly catalog: ByokProvider;
  /** Settings of `llm_config` in addition to the common ones. */
  readonly optionsSchema: ZodObject;
  /** URL of the service, without the `/realtime` at its end. */
  readonly publicUrl: string;
  readonly keyVariable: string;
  readonly defaultModel: string;
  /** Model that transcribes the caller's speech, if the vendor bills it separately. */
  readonly transcriptionModel?: string;
  /** Maximum duration of a session. */
  readonly maxSessionMs: number;
  /** Returns the `session` field of the first `session.update`. */
  session(settings: SessionSettings): VendorFields;
  /** Returns the `session` field of a `session.update` that changes only the instructions. */
  instructions(text: string): VendorFields;
  /** Returns the event that requests a response of exactly this text. */
  say(text: string): VendorFields;
}

const formatTypes = { pcmu: 'audio/pcmu', pcma: 'audio/pcma', pcm16: 'audio/pcm' } as const;

/** Converts an audio format to a field of the protocol. Only PCM needs a rate: G.711 has only one. */
export function formatOf({ encoding, sampleRateHz }: AudioFormat): VendorFields {
  const type = formatTypes[encoding];
  return encoding === 'pcm16' ? { type, rate: sampleRateHz } : { type };
}

/** Converts a tool to a function of the session. */
export function toolOf({ name, description, parameters }: LlmTool): VendorFields {
  return { type: 'function', name, description, parameters };
}
