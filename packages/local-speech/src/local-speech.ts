import type { Provider } from '@va/core/adapter';
import { flite } from './flite/flite.ts';
import { pocketsphinx } from './pocketsphinx/pocketsphinx.ts';
import { scriptedModel } from './scripted/scripted-model.ts';

/**
 * Creates all three engines: providers `pocketsphinx` (stt), `scripted` (llm) and `flite` (tts). No keys, no network.
 *
 * @example createVoiceAgents({ providers: localSpeech(), … })
 */
export function localSpeech(): Provider[] {
  return [pocketsphinx(), scriptedModel(), flite()];
}
