import { describe, expect, it } from 'vitest';
import { legAudio } from '../../src/codec/leg-encoding.ts';
import { encodeSamples } from '../../src/codec/leg-samples.ts';
import { LevelMeter, type Levels, silentDb } from '../../src/plane/level-meter.ts';

describe.each(['pcmu', 'pcma', 'pcm16'] as const)('LevelMeter for %s', (encoding) => {
  const { frameSamples, frameBytes, silence } = legAudio[encoding];
  const frameOf = (sample: number): Uint8Array => encodeSamples(encoding, new Int16Array(frameSamples).fill(sample));
  const silent = new Uint8Array(frameBytes).fill(silence);

  /** Returns the reported levels of a call, whose sides send a frame each every 20 ms. */
  function levelsOf(frames: readonly (readonly [caller: Uint8Array | null, agent: Uint8Array])[]): Levels[] {
    const reported: Levels[] = [];
    const meter = new LevelMeter(encoding, (levels) => reported.push(levels));
    for (const [caller, agent] of frames) {
      if (caller !== null) meter.receive(caller);
      meter.send(agent);
    }
    return reported;
  }

  const repeated = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

  it('reports the levels of both sides every 400 ms', () => {
    const reported = levelsOf([
      ...repeated(20, [frameOf(16_384), frameOf(3_277)] as const),
      ...repeated(20, [silent, frameOf(-16_384)] as const),
    ]);
    expect(reported).toEqual([
      { callerDb: -6, agentDb: -20 },
      { callerDb: silentDb, agentDb: -6 },
    ]);
  });

  it('reports nothing while both sides are silent, or keep their levels', () => {
    expect(levelsOf(repeated(100, [silent, silent] as const))).toEqual([]);
    expect(levelsOf(repeated(100, [frameOf(16_384), silent] as const))).toEqual([{ callerDb: -6, agentDb: silentDb }]);
  });

  it('reports nothing before 400 ms have been sent', () => {
    expect(levelsOf(repeated(19, [frameOf(16_384), frameOf(16_384)] as const))).toEqual([]);
  });

  it('takes a side without frames for silent', () => {
    expect(levelsOf(repeated(20, [null, frameOf(16_384)] as const))).toEqual([{ callerDb: silentDb, agentDb: -6 }]);
  });

  it('limits faint audio to the level of silence', () => {
    expect(levelsOf(repeated(20, [frameOf(24), frameOf(24)] as const))).toEqual([]);
  });
});
