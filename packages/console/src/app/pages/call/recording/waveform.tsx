import type { RecordingPeaks } from '@va/client';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../../../texts/en.ts';
import { colourOf } from '../../../ui/colours.ts';
import { useScheme } from '../../../ui/use-scheme.ts';

const heightPx = 48;

/** The waveforms of both sides; a click seeks. */
export function Waveform(props: {
  readonly peaks: RecordingPeaks;
  readonly element: HTMLAudioElement;
  readonly onSeek: (atMs: number) => void;
}): JSX.Element {
  const { peaks, element, onSeek } = props;
  const container = useRef<HTMLDivElement>(null);
  const scheme = useScheme();
  const seek = useRef(onSeek);
  seek.current = onSeek;
  useEffect(() => {
    let isGone = false;
    let destroy: (() => void) | null = null;
    void draw(container.current, { peaks, element, onSeek: (atMs) => seek.current(atMs) }).then((drawn) => {
      if (isGone) drawn?.();
      else destroy = drawn;
    });
    return () => {
      isGone = true;
      destroy?.();
    };
  }, [peaks, element, scheme]);
  const { caller, agent } = texts.call.player;
  return (
    <div class="waveform">
      <span class="small muted">{caller}</span>
      {peaks.channels.agent.length > 0 && <span class="small muted">{agent}</span>}
      <div class="waves" ref={container} style={{ minHeight: `${2 * heightPx}px` }} />
    </div>
  );
}

async function draw(
  container: HTMLElement | null,
  options: {
    readonly peaks: RecordingPeaks;
    readonly element: HTMLAudioElement;
    readonly onSeek: (atMs: number) => void;
  },
): Promise<(() => void) | null> {
  const { default: WaveSurfer } = await import('wavesurfer.js');
  if (container === null) return null;
  const { peaks, element, onSeek } = options;
  const accent = colourOf(container, '--accent');
  const { caller, agent } = peaks.channels;
  const durationSeconds = peaks.duration_ms / 1_000;
  const wave = (waveColor: string): object => ({ waveColor, progressColor: accent });
  const surfer = WaveSurfer.create({
    ...{ container, media: element, height: heightPx, barWidth: 2, barGap: 1, barRadius: 1, normalize: true },
    ...{ cursorColor: accent, progressColor: accent, interact: true, dragToSeek: false },
    ...{ peaks: agent.length === 0 ? [caller] : [caller, agent], duration: durationSeconds },
    splitChannels: [wave(colourOf(container, '--wave-caller')), wave(colourOf(container, '--wave-agent'))],
  });
  surfer.on('click', (share) => onSeek(share * peaks.duration_ms));
  return () => surfer.destroy();
}
