import { silentLogger } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { backgroundSounds } from '../../../src/calls/session/background-sounds.ts';
import type { Clips } from '../../../src/clips/clips.ts';
import { defaultSpeechConfig, type SpeechConfig } from '../../../src/domain/agents/speech/speech-config.ts';
import { untyped } from '../../support/untyped.ts';

const samples = new Int16Array([1, 2, 3]);
const clips: Clips = untyped({
  find: (name: string, rate: number) => (name === 'office' && rate === 16_000 ? samples : null),
});

function speechWith(ambientClip: string | null, holdClip: string | null): SpeechConfig {
  const { ambient, hold } = defaultSpeechConfig;
  return { ...defaultSpeechConfig, ambient: { ...ambient, clip: ambientClip }, hold: { ...hold, clip: holdClip } };
}

describe('backgroundSounds', () => {
  it('takes the clips of the host at the rate of the leg', () => {
    const { ambient, hold } = backgroundSounds(speechWith('office', null), { clips, logger: silentLogger }, 16_000);
    expect([ambient?.samples, hold?.samples]).toEqual([samples, undefined]);
  });

  it.each([
    ['unknown to the host', clips],
    ['named by a host without clips', undefined],
  ])('leaves out a clip that is %s, and logs it', (_what, known) => {
    const warn = vi.fn();
    const sources = { clips: known, logger: { ...silentLogger, warn } };
    const { hold } = backgroundSounds(speechWith(null, 'music'), sources, 16_000);
    expect(hold?.samples).toBeUndefined();
    expect(warn.mock.calls.map(([fields]) => fields)).toEqual([{ clip: 'music' }]);
  });
});
