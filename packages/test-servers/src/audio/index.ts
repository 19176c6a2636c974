export { everyPrompt, hasHumanSpeech, humanSpeech, type Prompt, recordedBeep, wordsOf } from './human-speech.ts';
export { hasLineNoise, holdMusic, recordedVoices } from './line-noise.ts';
export { gaussian, seeded, shuffled } from './seeded.ts';
export { purity, tone } from './tone.ts';
export { fromWav, toWav } from './wav.ts';
