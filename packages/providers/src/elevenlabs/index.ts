import type { TextToSpeech } from '@va/core';
import { requireApiKey } from '../shared/api-key.ts';
import { fieldsOf } from '../shared/json.ts';
import { ElevenLabsSession } from './session.ts';

const publicUrl = 'wss://api.elevenlabs.io';
const fallbackModel = 'eleven_flash_v2_5';
/** "Rachel", one of the service's premade voices. */
const fallbackVoice = '21m00Tcm4TlvDq8ikWAM';

export interface ElevenLabsOptions {
  /** ELEVENLABS_API_KEY by default, read when a session is opened. */
  readonly apiKey?: string;
  /** A regional service: `wss://host` or `https://host`. */
  readonly baseUrl?: string;
  readonly headers?: Record<string, string>;
  /** For agents whose `tts_config` has no `voiceId`. */
  readonly defaultVoiceId?: string;
  /** For agents whose `tts_config` has no `model`. */
  readonly defaultModel?: string;
}

/**
 * ElevenLabs' speech over its WebSocket for several contexts: one connection a call, one context an utterance.
 * `tts_config` takes `voiceId`, `model`, and the service's `voice_settings`.
 */
export function elevenlabs(options: ElevenLabsOptions = {}): TextToSpeech {
  const { baseUrl = publicUrl, defaultVoiceId = fallbackVoice, defaultModel = fallbackModel } = options;
  return {
    kind: 'tts',
    id: 'elevenlabs',
    formats: [
      { encoding: 'pcmu', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 8_000 },
    ],
    open(session) {
      const { config, format } = session;
      const apiKey = session.apiKey ?? requireApiKey('elevenlabs', options.apiKey, 'ELEVENLABS_API_KEY');
      const voice = encodeURIComponent(config.voiceId ?? defaultVoiceId);
      const url = new URL(`/v1/text-to-speech/${voice}/multi-stream-input`, baseUrl.replace(/^http/, 'ws'));
      url.search = new URLSearchParams({
        model_id: config.model ?? defaultModel,
        output_format: format.encoding === 'pcm16' ? 'pcm_8000' : 'ulaw_8000',
        auto_mode: 'true',
        sync_alignment: 'true',
        inactivity_timeout: '60',
      }).toString();
      const target = {
        url: url.href,
        apiKey,
        headers: { ...options.headers, 'xi-api-key': apiKey },
        bytesPerMs: format.encoding === 'pcm16' ? 16 : 8,
        voiceSettings: fieldsOf(config.voice_settings),
      };
      return new ElevenLabsSession(target, session);
    },
  };
}
