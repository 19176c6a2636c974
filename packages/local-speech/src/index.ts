export { flite } from './flite/flite.ts';
export { synthesize } from './flite/synthesize.ts';
export { type FliteVoice, fliteVoices } from './flite/voices.ts';
export { localSpeech } from './local-speech.ts';
export { pocketsphinx } from './pocketsphinx/pocketsphinx.ts';
export { recognize } from './pocketsphinx/recognize.ts';
export { scriptedModel } from './scripted/scripted-model.ts';
