import { useCallback, useEffect, useRef, useState } from 'react';
import { createWebCall, WebCallError, type WebCallLatency } from '../index.ts';
import { type WebCallTranscript, withWords } from '../transcript.ts';
import type { WebCall, WebCallOptions, WebCallState } from '../web-call.ts';

/** What `useWebCall` gives to a component. */
export interface WebCallHook {
  readonly state: WebCallState;
  /** Words of both sides so far; the last one of each side may not be final yet. */
  readonly transcript: readonly WebCallTranscript[];
  /** The delays of the last reply. */
  readonly latency: WebCallLatency | null;
  /** Why the last call could not begin, or ended early. */
  readonly error: Error | null;
  /** True while the browser plays no sound before the user's next click. */
  readonly isSuspended: boolean;
  readonly isMuted: boolean;
  /** Calls. To be called from a click. Never rejects: see `error`. */
  start(): Promise<void>;
  hangUp(): void;
  mute(isMuted: boolean): void;
  sendText(text: string): void;
  sendKeys(keys: string): void;
}

/**
 * A call from a component. It ends when the component is unmounted.
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
  /** Counts starts and unmounts, so that a start that was overtaken does nothing. */
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
