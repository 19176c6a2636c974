import type { Call, RecordingPeaks } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { texts } from '../../../texts/en.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { formatDuration } from '../../../ui/values/format.ts';
import type { RecordingPlayback } from './use-audio.ts';
import { Waveform } from './waveform.tsx';

const speeds = [0.75, 1, 1.25, 1.5, 2];

/** Plays the recording with its waveform. */
export function Player(props: {
  readonly call: Call;
  readonly audio: RecordingPlayback;
  /** Null until loaded, and if the recording has none. */
  readonly peaks: RecordingPeaks | null;
}): JSX.Element {
  const { call, audio, peaks } = props;
  const words = texts.call.player;
  const [speed, setSpeed] = useState(1);
  const durationMs = peaks?.duration_ms ?? (call.duration_seconds ?? 0) * 1_000;
  return (
    <section class="card player" aria-label={words.title}>
      {peaks !== null && <Waveform peaks={peaks} element={audio.element} onSeek={(atMs) => audio.play(atMs)} />}
      <div class="controls">
        <Button kind="primary" shortcut="p" onClick={() => audio.play()} isBusy={audio.loadingShare !== null}>
          {audio.isPlaying ? words.pause : words.play}
        </Button>
        <input
          type="range"
          aria-label={words.position}
          min={0}
          max={durationMs}
          step={100}
          value={audio.positionMs}
          onChange={(event) => audio.play(Number(event.currentTarget.value))}
        />
        <span class="number small">
          {formatDuration(audio.positionMs / 1_000)} / {formatDuration(durationMs / 1_000)}
        </span>
        <select
          aria-label={words.speed}
          value={speed}
          onChange={(event) => {
            const chosen = Number(event.currentTarget.value);
            audio.element.defaultPlaybackRate = chosen;
            audio.element.playbackRate = chosen;
            setSpeed(chosen);
          }}
        >
          {speeds.map((each) => (
            <option key={each} value={each}>
              {each}×
            </option>
          ))}
        </select>
      </div>
      <p class="small muted" role="status">
        {audio.loadingShare !== null && words.loading(Math.round(audio.loadingShare * 100))}
      </p>
      {audio.error !== null && <ErrorNotice error={audio.error} />}
    </section>
  );
}
