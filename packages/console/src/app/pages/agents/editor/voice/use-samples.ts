import type { Client } from '@va/client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ConsoleSession } from '../../../../session/session.ts';

export type NewSample = Parameters<Client['voices']['sample']>[0];

export interface Samples {
  /** Name of the sample that is loading or playing, or null. */
  readonly current: string | null;
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Plays a sample instead of the current one. Stops it if it is the current one. */
  readonly toggle: (name: string, sample: NewSample) => void;
}

/** Maximum number of cached samples of about 200 KB each. */
const maxKept = 20;

/** Plays voice samples, one at a time. */
export function useSamples(session: ConsoleSession): Samples {
  const [current, setCurrent] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const player = useMemo(() => new SamplePlayer(session.client), [session.client]);
  useEffect(() => {
    player.onStopped = () => setCurrent(null);
    return () => player.close();
  }, [player]);
  const toggle = (name: string, sample: NewSample): void => {
    setError(null);
    if (name === current) {
      player.stop();
      setLoading(false);
      setCurrent(null);
      return;
    }
    setCurrent(name);
    setLoading(true);
    player.play(sample).then(
      (isCurrent) => {
        if (isCurrent) setLoading(false);
      },
      (thrown: unknown) => {
        setLoading(false);
        setCurrent(null);
        setError(thrown);
      },
    );
  };
  return { current, isLoading, error, toggle };
}

class SamplePlayer {
  onStopped: () => void = () => {};
  readonly #client: Client;
  readonly #element = new Audio();
  /** Object URLs of cached samples by request, least recently used first. */
  readonly #loaded = new Map<string, string>();
  #loading: AbortController | null = null;

  constructor(client: Client) {
    this.#client = client;
    this.#element.addEventListener('ended', () => this.onStopped());
  }

  /**
   * Resolves to true once the sample plays, to false if it was stopped or replaced before. Rejects if playback fails.
   */
  async play(sample: NewSample): Promise<boolean> {
    this.stop();
    const loading = new AbortController();
    this.#loading = loading;
    try {
      const address = await this.#addressOf(sample, loading.signal);
      if (loading.signal.aborted) return false;
      this.#element.src = address;
      await this.#element.play();
    } catch (thrown) {
      if (!loading.signal.aborted) throw thrown;
    }
    return !loading.signal.aborted;
  }

  stop(): void {
    this.#loading?.abort();
    this.#element.pause();
  }

  close(): void {
    this.stop();
    this.#element.removeAttribute('src');
    for (const address of this.#loaded.values()) URL.revokeObjectURL(address);
    this.#loaded.clear();
  }

  async #addressOf(sample: NewSample, signal: AbortSignal): Promise<string> {
    const key = JSON.stringify(sample);
    const address = this.#loaded.get(key) ?? URL.createObjectURL(await this.#client.voices.sample(sample, { signal }));
    this.#loaded.delete(key);
    this.#loaded.set(key, address);
    for (const [oldest, unused] of this.#loaded) {
      if (this.#loaded.size <= maxKept) break;
      URL.revokeObjectURL(unused);
      this.#loaded.delete(oldest);
    }
    return address;
  }
}
