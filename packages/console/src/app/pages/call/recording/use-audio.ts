import { useEffect, useMemo, useState } from 'preact/hooks';
import { baseUrl } from '../../../session/base-url.ts';
import type { ConsoleSession } from '../../../session/session.ts';
import { loadRecording } from './recording-audio.ts';

export interface RecordingPlayback {
  readonly element: HTMLAudioElement;
  /** Loaded share from 0 to 1; null when not loading. */
  readonly loadingShare: number | null;
  readonly error: unknown;
  readonly isPlaying: boolean;
  readonly positionMs: number;
  /** Plays from a time; without one, toggles between play and pause. */
  readonly play: (atMs?: number) => void;
}

/** Plays the recording of a call. Loads it on first play. */
export function useAudio(session: ConsoleSession, callId: string): RecordingPlayback {
  const element = useMemo(() => new Audio(), [callId]);
  const [loadingShare, setLoadingShare] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [positionMs, setPositionMs] = useState(0);
  const controller = useMemo(() => new AbortController(), [element]);
  useEffect(() => {
    const onChange = (): void => {
      setPlaying(!element.paused);
      setPositionMs(element.currentTime * 1_000);
    };
    const names = ['play', 'pause', 'ended', 'timeupdate', 'seeking'];
    for (const name of names) element.addEventListener(name, onChange);
    return () => {
      controller.abort();
      for (const name of names) element.removeEventListener(name, onChange);
      element.pause();
      if (element.src.startsWith('blob:')) URL.revokeObjectURL(element.src);
      element.removeAttribute('src');
    };
  }, [element]);

  const start = async (atMs: number | undefined): Promise<void> => {
    if (element.src === '') element.src = await sourceOf();
    if (atMs !== undefined) element.currentTime = atMs / 1_000;
    await element.play();
  };
  /** With a session of the host, the browser requests byte ranges itself and sends the cookies. */
  const sourceOf = async (): Promise<string> => {
    if (session.apiKey === null)
      return `${baseUrl}/api/v1/calls/${encodeURIComponent(callId)}/recording?redirect=false`;
    setLoadingShare(0);
    const options = { signal: controller.signal, onShare: setLoadingShare };
    return URL.createObjectURL(await loadRecording(session.client, callId, options));
  };
  const play = (atMs?: number): void => {
    if (loadingShare !== null) return;
    if (atMs === undefined && !element.paused) {
      element.pause();
      return;
    }
    setError(null);
    start(atMs)
      .catch((thrown: unknown) => {
        if (!controller.signal.aborted) setError(thrown);
      })
      .finally(() => setLoadingShare(null));
  };
  return { element, loadingShare, error, isPlaying, positionMs, play };
}
