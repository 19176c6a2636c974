import { describe, expect, it } from 'vitest';
import { SupervisorVoice } from '../../src/playout/supervisor-voice.ts';

function pushed(voice: SupervisorVoice, from: number, to: number): void {
  for (let n = from; n <= to; n++) voice.push(Uint8Array.of(n));
}

function taken(voice: SupervisorVoice, frames: number): (number | null)[] {
  return Array.from({ length: frames }, () => voice.take()?.[0] ?? null);
}

describe('the voice of a supervisor', () => {
  it('waits for three frames before it plays', () => {
    const voice = new SupervisorVoice();
    pushed(voice, 1, 2);
    expect(taken(voice, 2)).toEqual([null, null]);
    pushed(voice, 3, 3);
    expect(taken(voice, 4)).toEqual([1, 2, 3, null]);
  });

  it('waits for three frames again after it ran empty, and not before', () => {
    const voice = new SupervisorVoice();
    pushed(voice, 1, 3);
    expect(taken(voice, 3)).toEqual([1, 2, 3]);
    pushed(voice, 4, 4);
    expect(taken(voice, 2)).toEqual([4, null]);
    pushed(voice, 5, 6);
    expect(taken(voice, 1)).toEqual([null]);
    pushed(voice, 7, 7);
    expect(taken(voice, 3)).toEqual([5, 6, 7]);
  });

  it('drops the oldest frames beyond 200 ms', () => {
    const voice = new SupervisorVoice();
    pushed(voice, 1, 25);
    expect(taken(voice, 11)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25, null]);
  });
});
