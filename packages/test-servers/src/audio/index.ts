export { everyPrompt, hasHumanSpeech, humanSpeech, type Prompt, recordedBeep, wordsOf } from './human-speech.ts';
export { hasLineNoise, holdMusic, recordedVoices } from './line-noise.ts';
export { asHeard, below, clipped, type Noise, type NoiseName, noiseNamed, overLine } from './noises.ts';
export { gaussian, seeded, shuffled } from './seeded.ts';
export { purity, tone, toneLevel } from './tone.ts';
export { joined, levelOf, levelOfParts, type Stretch, voicedStretches } from './voiced-stretches.ts';
export { fromWav, toWav } from './wav.ts';
