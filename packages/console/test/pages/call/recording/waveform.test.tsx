// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/dom';
import type { RecordingPeaks } from '@va/client';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Waveform } from '../../../../src/app/pages/call/recording/waveform.tsx';
import { applyReplacements } from '../../../support/replaced-modules.ts';
import { settle, show } from '../../../support/show.tsx';

interface Surfer {
  readonly options: Readonly<Record<string, unknown>>;
  readonly click: (share: number) => void;
  isDestroyed: boolean;
}

let surfers: Surfer[];

beforeEach(async () => {
  surfers = [];
  vi.doMock('wavesurfer.js', () => ({
    default: {
      create(options: Surfer['options']) {
        let click: Surfer['click'] = () => {};
        const surfer: Surfer = { options, click: (share) => click(share), isDestroyed: false };
        surfers.push(surfer);
        return {
          on(_name: string, listener: Surfer['click']) {
            click = listener;
          },
          destroy() {
            surfer.isDestroyed = true;
          },
        };
      },
    },
  }));
  onTestFinished(async () => {
    vi.doUnmock('wavesurfer.js');
    await applyReplacements();
  });
  await applyReplacements();
});

const peaks: RecordingPeaks = {
  duration_ms: 60_000,
  sample_rate: 8_000,
  channels: { caller: [0.1, 0.5], agent: [0.9, 0.2] },
};
const element = document.createElement('audio');

async function drawn(count = 1): Promise<Surfer> {
  return await waitFor(() => {
    expect(surfers).toHaveLength(count);
    return surfers[count - 1] as Surfer;
  });
}

describe('the waveform of a recording', () => {
  it('has both sides, of the length of the recording', async () => {
    show(<Waveform peaks={peaks} element={element} onSeek={() => {}} />);
    expect([screen.getByText('Caller'), screen.getByText('Agent')].length).toBe(2);
    expect((await drawn()).options).toMatchObject({
      ...{
        media: element,
        peaks: [
          [0.1, 0.5],
          [0.9, 0.2],
        ],
        duration: 60,
      },
    });
  });

  it('has one side for a mono recording', async () => {
    const mono = { ...peaks, channels: { caller: [0.1], agent: [] } };
    show(<Waveform peaks={mono} element={element} onSeek={() => {}} />);
    expect(screen.queryByText('Agent')).toBeNull();
    expect((await drawn()).options).toMatchObject({ peaks: [[0.1]] });
  });

  it('seeks where it is clicked, by the last function of its owner', async () => {
    const [first, second] = [vi.fn(), vi.fn()];
    const { rerender } = show(<Waveform peaks={peaks} element={element} onSeek={first} />);
    const surfer = await drawn();
    rerender(<Waveform peaks={peaks} element={element} onSeek={second} />);
    surfer.click(0.25);
    expect([first.mock.calls, second.mock.calls]).toEqual([[], [[15_000]]]);
    expect(surfers).toHaveLength(1);
  });

  it('is drawn again for other peaks', async () => {
    const { rerender } = show(<Waveform peaks={peaks} element={element} onSeek={() => {}} />);
    const before = await drawn();
    rerender(<Waveform peaks={{ ...peaks, duration_ms: 1_000 }} element={element} onSeek={() => {}} />);
    expect((await drawn(2)).options).toMatchObject({ duration: 1 });
    expect(before.isDestroyed).toBe(true);
  });

  it('is destroyed when it is removed, also while it is loaded', async () => {
    const first = show(<Waveform peaks={peaks} element={element} onSeek={() => {}} />);
    const surfer = await drawn();
    first.unmount();
    await settle();
    expect(surfer.isDestroyed).toBe(true);
    show(<Waveform peaks={peaks} element={element} onSeek={() => {}} />).unmount();
    await settle();
    expect(surfers.every(({ isDestroyed }) => isDestroyed)).toBe(true);
  });
});
