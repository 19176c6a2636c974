// @vitest-environment happy-dom
import { waitFor } from '@testing-library/dom';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Chart, type ChartProps } from '../../../src/app/pages/usage/chart.tsx';
import { colourOf } from '../../../src/app/ui/colours.ts';
import { scriptResizeObserver } from '../../support/browser-parts.ts';
import { applyReplacements } from '../../support/replaced-modules.ts';
import { settle, show } from '../../support/show.tsx';

type Range = (plot: unknown, least: number, most: number) => readonly number[];

/** The parts of the options of uPlot that the tests read. */
interface PlotOptions {
  readonly width: number;
  readonly scales: { readonly x: { readonly range: Range }; readonly y: { readonly range: Range } };
  readonly axes: readonly {
    readonly values?: (plot: unknown, seconds: readonly number[]) => readonly string[];
    readonly incrs?: readonly number[];
  }[];
  readonly series: readonly { readonly label?: string; readonly fill?: string; readonly width?: number }[];
}

interface Plot {
  readonly options: PlotOptions;
  readonly data: readonly (readonly (number | null)[])[];
  readonly setSize: ReturnType<typeof vi.fn>;
  readonly destroy: ReturnType<typeof vi.fn>;
}

const plots: Plot[] = [];
let onResize: () => void;

class ScriptedPlot implements Plot {
  static readonly paths = { bars: () => 'bars' };
  static readonly tzDate = (date: Date): Date => date;
  readonly options: PlotOptions;
  readonly data: Plot['data'];
  readonly setSize = vi.fn();
  readonly destroy = vi.fn();

  constructor(options: PlotOptions, data: Plot['data']) {
    this.options = options;
    this.data = data;
    plots.push(this);
  }
}

beforeEach(async () => {
  plots.length = 0;
  vi.doMock('uplot', () => ({ default: ScriptedPlot }));
  await applyReplacements();
  onResize = scriptResizeObserver();
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(300);
});
afterEach(async () => {
  vi.doUnmock('uplot');
  await applyReplacements();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const props: ChartProps = {
  title: 'Calls',
  total: '12',
  days: ['2026-03-01', '2026-03-02'],
  series: [{ label: 'Calls', colour: '--chart-main', values: [5, 7] }],
  kind: 'bars',
};

async function drawn(count = 1): Promise<Plot> {
  return await waitFor(() => {
    expect(plots).toHaveLength(count);
    return plots[count - 1] as Plot;
  });
}

describe('a chart', () => {
  it('has a value for each day', async () => {
    show(<Chart {...props} />);
    expect((await drawn()).data).toEqual([
      [Date.UTC(2026, 2, 1) / 1_000, Date.UTC(2026, 2, 2) / 1_000],
      [5, 7],
    ]);
  });

  it('leaves gaps where there is no value', async () => {
    const lines = [
      { label: 'p50', colour: '--chart-main', values: [null, 640.5] },
      { label: 'p95', colour: '--chart-warn', values: [900, null] },
    ];
    show(<Chart {...props} kind="lines" series={lines} />);
    const { data, options } = await drawn();
    expect(data.slice(1)).toEqual([
      [null, 640.5],
      [900, null],
    ]);
    expect(options.series.map(({ label, fill, width }) => [label, fill, width])).toEqual([
      [undefined, undefined, undefined],
      ['p50', undefined, 2],
      ['p95', undefined, 2],
    ]);
  });

  it('has room for the bars of the first and last day, and starts at zero', async () => {
    show(<Chart {...props} />);
    const { scales } = (await drawn()).options;
    expect(scales.x.range(null, 86_400, 172_800)).toEqual([43_200, 216_000]);
    expect(scales.y.range(null, 3, 10)).toEqual([0, 11]);
    expect(scales.y.range(null, 0, 0)).toEqual([0, 1]);
  });

  it('names its days in UTC', async () => {
    show(<Chart {...props} />);
    const { axes } = (await drawn()).options;
    const names = axes[0]?.values?.(null, [Date.UTC(2026, 2, 1) / 1_000]);
    expect(names).toEqual([
      new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
        Date.UTC(2026, 2, 1),
      ),
    ]);
  });

  it.each([
    ['counts', [5, 7], true],
    ['other figures', [5, 7.5], false],
    ['figures with gaps', [5, null], false],
  ])('has ticks at whole numbers for %s: %s', async (_, values, isWhole) => {
    show(<Chart {...props} series={[{ label: 'x', colour: '--chart-main', values }]} />);
    const incrs = (await drawn()).options.axes[1]?.incrs;
    expect(incrs !== undefined).toBe(isWhole);
    if (incrs !== undefined) expect(incrs.slice(0, 4)).toEqual([1, 2, 5, 10]);
  });

  it('follows the width of the page', async () => {
    show(<Chart {...props} />);
    const plot = await drawn();
    expect(plot.options.width).toBe(300);
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(500);
    onResize();
    expect(plot.setSize.mock.calls).toEqual([[{ width: 500, height: 150 }]]);
  });

  it('is drawn again for other figures only', async () => {
    const { rerender } = show(<Chart {...props} />);
    const before = await drawn();
    rerender(<Chart {...props} total="13" days={[...props.days]} />);
    await settle();
    expect(plots).toHaveLength(1);
    rerender(<Chart {...props} series={[{ label: 'Calls', colour: '--chart-main', values: [5, 8] }]} />);
    expect((await drawn(2)).data[1]).toEqual([5, 8]);
    await waitFor(() => expect(before.destroy).toHaveBeenCalledTimes(1));
  });

  it('is destroyed when it is removed, and not drawn later', async () => {
    const { unmount } = show(<Chart {...props} />);
    const plot = await drawn();
    unmount();
    await waitFor(() => expect(plot.destroy).toHaveBeenCalledTimes(1));
    show(<Chart {...props} />).unmount();
    await settle();
    await settle();
    expect(plots).toHaveLength(1);
  });
});

describe('the colour of a custom property', () => {
  it('is resolved at the element, without leaving anything behind', () => {
    const { element } = show(<p style={{ color: 'rgb(1, 2, 3)' }}>Text</p>);
    const before = element.innerHTML;
    void act(() => void colourOf(element, '--accent'));
    expect(element.innerHTML).toBe(before);
  });
});
