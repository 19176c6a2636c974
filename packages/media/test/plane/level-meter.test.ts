import { expect, it } from 'vitest';
import { type LegEncoding, legAudio } from '../../src/codec/leg-encoding.ts';
import { encodeSamples } from '../../src/codec/leg-samples.ts';
import { LevelMeter, type Levels, silentDb } from '../../src/plane/level-meter.ts';

it.each(['pcmu', 'pcma', 'pcm16'] as const)('levels › are those of the audio in %s', (encoding: LegEncoding) => {
  const told: Levels[] = [];
  const meter = new LevelMeter(encoding, (levels) => told.push(levels));
  const frame = (sample: number): Uint8Array =>
    encodeSamples(encoding, new Int16Array(legAudio[encoding].frameSamples).fill(sample));
  for (let n = 0; n < 20; n++) {
    meter.hear(frame(16_384));
    meter.send(frame(3_277));
  }
  for (let n = 0; n < 20; n++) {
    meter.hear(new Uint8Array(legAudio[encoding].frameBytes).fill(legAudio[encoding].silence));
    meter.send(frame(-16_384));
  }
  expect(told).toEqual([
    { callerDb: -6, agentDb: -20 },
    { callerDb: silentDb, agentDb: -6 },
  ]);
});
