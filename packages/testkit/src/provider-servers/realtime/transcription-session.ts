import type { SoundFormat } from '../deepgram/sound.ts';
import type { MessageFields } from '../message-fields.ts';

/** Accepted settings of a transcription session. */
export interface TranscriptionSession {
  readonly model: string;
  readonly format: SoundFormat;
  /** The session as the service reports it. */
  readonly description: MessageFields;
}

/** Error of a rejected `session.update`: the parameter at fault, and the message. */
interface SessionRefusal {
  readonly param: string;
  readonly message: string;
}

function fieldsOf(value: unknown): MessageFields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

const encodings: Record<string, string> = { 'audio/pcm': 'linear16', 'audio/pcmu': 'mulaw', 'audio/pcma': 'alaw' };

/** Models with `keywords` and `languages`. */
const takesKeywords = /^gpt-(live-)?transcribe/;

/**
 * Returns the settings in the `session` of a `session.update`, or the error with which the service rejects it.
 * @see https://platform.openai.com/docs/guides/realtime-transcription
 */
export function readSession(session: unknown): TranscriptionSession | SessionRefusal {
  const { type, audio } = fieldsOf(session);
  if (type !== 'transcription') {
    return { param: 'session.type', message: `Passing a ${String(type)} session update to a transcription session.` };
  }
  const input = fieldsOf(fieldsOf(audio).input);
  const format = fieldsOf(input.format);
  const encoding = encodings[String(format.type)];
  if (encoding === undefined || (encoding === 'linear16' && format.rate !== 24_000)) {
    return { param: 'session.audio.input.format', message: 'Only audio/pcm of 24000 Hz, audio/pcmu and audio/pcma.' };
  }
  const transcription = fieldsOf(input.transcription);
  const model = String(transcription.model);
  if (transcription.model === undefined) {
    return { param: 'session.audio.input.transcription.model', message: 'Missing required parameter.' };
  }
  const refusal = refusalOf(model, transcription, input);
  if (refusal !== null) return refusal;
  return {
    model,
    format: { encoding, sampleRateHz: encoding === 'linear16' ? 24_000 : 8_000 },
    description: { id: 'sess_1', object: 'realtime.transcription_session', type, audio: { input } },
  };
}

function refusalOf(model: string, transcription: MessageFields, input: MessageFields): SessionRefusal | null {
  const refused = (name: string): SessionRefusal => ({
    param: `session.audio.input.transcription.${name}`,
    message: `${name} is not supported with ${model}.`,
  });
  const hasKeywords = takesKeywords.test(model);
  for (const name of hasKeywords ? ['language'] : ['keywords', 'languages']) {
    if (transcription[name] !== undefined) return refused(name);
  }
  const isStreaming = /^gpt-(live-transcribe|realtime-whisper)/.test(model);
  if (transcription.delay !== undefined && !isStreaming) return refused('delay');
  if (transcription.prompt !== undefined && /diarize|^gpt-realtime-whisper/.test(model)) return refused('prompt');
  const keywords = Array.isArray(transcription.keywords) ? transcription.keywords : [];
  if (keywords.some((word) => typeof word !== 'string' || /[<>\r\n]/.test(word))) return refused('keywords');
  if (isStreaming && fieldsOf(input.turn_detection).type !== undefined) {
    return { param: 'session.audio.input.turn_detection', message: `Turn detection is not supported with ${model}.` };
  }
  return null;
}
