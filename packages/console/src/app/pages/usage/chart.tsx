import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { colourOf } from '../../ui/colours.ts';
import { useScheme } from '../../ui/use-scheme.ts';

interface Series {
  readonly label: string;
  /** Name of a CSS custom property with the colour. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  readonly title: string;
  readonly total: string;
  /** UTC days. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly kind: 'bars' | 'lines';
}

const heightPx = 150;
/** Tick intervals of an axis with integer values. */
const countSteps = [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power));
const halfDaySeconds = 43_200;
const dayAndMonth = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A chart of daily figures, with their total. */
export function Chart(props: ChartProps): JSX.Element {
  const { title, total, days, series } = props;
  const container = useRef<HTMLDivElement>(null);
  const scheme = useScheme();
  const shape = JSON.stringify([days, series]);
  useEffect(() => {
    const drawing = draw(container.current, props);
    return () => void drawing.then((destroy) => destroy?.());
  }, [shape, scheme]);
  return (
    <figure class="card chart">
      <figcaption>
        <span class="muted">{title}</span> <strong>{total}</strong>
      </figcaption>
      <div ref={container} style={{ height: `${heightPx}px` }} />
    </figure>
  );
}

async function draw(container: HTMLElement | null, props: ChartProps): Promise<(() => void) | null> {
  const [{ default: UPlot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
  if (container === null || !container.isConnected) return null;
  const { days, series, kind } = props;
  const muted = colourOf(container, '--chart-muted');
  const grid = { stroke: colourOf(container, '--chart-grid'), width: 1 };
  const axis = { stroke: muted, grid, ticks: { show: false }, font: '11px system-ui' };
  // Counts are integers.
  const isCount = series.every(({ values }) => values.every(Number.isInteger));
  const bars = UPlot.paths.bars?.({ size: [0.7, 40] });
  const plot = new UPlot(
    {
      ...{ width: container.clientWidth, height: heightPx, cursor: { y: false }, legend: { show: false } },
      padding: [8, 8, 0, 0],
      // The axis has its ticks at UTC days.
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
      scales: {
        // Margin for the bars of the first and the last day.
        x: { range: (_plot, first, last) => [first - halfDaySeconds, last + halfDaySeconds] },
        y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
      },
      axes: [
        {
          ...{ ...axis, space: 70, size: 26 },
          values: (_plot, seconds) => seconds.map((each) => dayAndMonth.format(each * 1_000)),
        },
        { ...axis, size: 48, ...(isCount && { incrs: countSteps }) },
      ],
      series: [
        {},
        ...series.map(({ label, colour }) => {
          const stroke = colourOf(container, colour);
          const filled = kind === 'bars' && bars !== undefined;
          return {
            label,
            stroke,
            width: 2,
            points: { size: 5 },
            ...(filled && { fill: stroke, paths: bars, width: 0 }),
          };
        }),
      ],
    },
    [days.map((day) => Date.parse(day) / 1_000), ...series.map(({ values }) => [...values])],
    container,
  );
  const observer = new ResizeObserver(() => plot.setSize({ width: container.clientWidth, height: heightPx }));
  observer.observe(container);
  return () => {
    observer.disconnect();
    plot.destroy();
  };
}
