import { useCallback, useEffect, useRef, useState } from 'react';
import { createWebCall, WebCallError, type WebCallLatency } from '../index.ts';
import { type WebCallTranscript, withWords } from '../transcript.ts';
import type { WebCall, WebCallOptions, WebCallState } from '../web-call.ts';

/** State and actions of `useWebCall`. */
export interface WebCallHook {
  readonly state: WebCallState;
  /** Transcript so far. The last entry of each side may be interim. */
  readonly transcript: readonly WebCallTranscript[];
  /** Latency of the last reply in ms; null before the first. */
  readonly latency: WebCallLatency | null;
  /** Error of the last call; null without one. */
  readonly error: Error | null;
  /** True while the browser blocks audio until the next click. */
  readonly isSuspended: boolean;
  readonly isMuted: boolean;
  /** Starts a call. Call it from a click handler. Never rejects: failures are in `error`. */
  start(): Promise<void>;
  hangUp(): void;
  mute(isMuted: boolean): void;
  sendText(text: string): void;
  sendKeys(keys: string): void;
}

/**
 * Returns the web call of a component, which ends when the component unmounts.
 *
 * @param open the options of a call with a publishable key, or a function that gets `url` and `token` from your server
 * @example
 * const call = useWebCall(async () => (await fetch('/call', { method: 'POST' })).json());
 * return <button onClick={call.start}>{call.state}</button>;
 */
export function useWebCall(open: WebCallOptions | (() => Promise<WebCallOptions>)): WebCallHook {
  const [state, setState] = useState<WebCallState>('idle');
  const [transcript, setTranscript] = useState<readonly WebCallTranscript[]>([]);
  const [latency, setLatency] = useState<WebCallLatency | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isSuspended, setSuspended] = useState(false);
  const [isMuted, setMuted] = useState(false);
  const current = useRef<WebCall | null>(null);
  const latestOpen = useRef(open);
  useEffect(() => {
    latestOpen.current = open;
  });
  /** Counts starts and unmounts, so that a superseded start has no effect. */
  const round = useRef(0);
  useEffect(
    () => () => {
      round.current += 1;
      current.current?.hangUp();
    },
    [],
  );

  const start = useCallback(async (): Promise<void> => {
    round.current += 1;
    const own = round.current;
    current.current?.hangUp();
    setTranscript([]);
    setLatency(null);
    setError(null);
    setMuted(false);
    setState('connecting');
    try {
      const latest = latestOpen.current;
      const options = typeof latest === 'function' ? await latest() : latest;
      if (round.current !== own) return;
      const call = createWebCall(options);
      current.current = call;
      call.on('state', (event) => {
        setState(event.state);
        if (event.state !== 'connecting') setSuspended(false);
      });
      call.on('transcript', (event) => setTranscript((before) => withWords(before, event)));
      call.on('latency', setLatency);
      call.on('suspended', () => setSuspended(true));
      call.on('ended', (event) => setError(event.error));
      await call.start();
    } catch (thrown) {
      if (round.current !== own) return;
      if (!(thrown instanceof WebCallError)) setState('ended');
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }, []);
  const hangUp = useCallback(() => current.current?.hangUp(), []);
  const mute = useCallback((muted: boolean) => {
    setMuted(muted);
    current.current?.mute(muted);
  }, []);
  const sendText = useCallback((text: string) => current.current?.sendText(text), []);
  const sendKeys = useCallback((keys: string) => current.current?.sendKeys(keys), []);
  return { state, transcript, latency, error, isSuspended, isMuted, start, hangUp, mute, sendText, sendKeys };
}
