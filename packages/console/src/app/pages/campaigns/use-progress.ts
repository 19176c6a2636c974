import type { CampaignProgress } from '@va/client';
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleSession } from '../../session/session.ts';
import { type CallsSample, paceOf, withSample } from './pace.ts';

export interface LiveProgress {
  /** Null before the first event. */
  readonly progress: CampaignProgress | null;
  readonly perMinute: number | null;
  readonly error: unknown;
}

interface ProgressState {
  readonly progress: CampaignProgress | null;
  readonly samples: readonly CallsSample[];
  readonly error: unknown;
}

/** Follows the progress of a campaign by its event stream. A new `round` opens the stream again. */
export function useProgress(session: ConsoleSession, id: string, round: number): LiveProgress {
  const [state, setState] = useState<ProgressState>({ progress: null, samples: [], error: null });
  useEffect(() => {
    const controller = new AbortController();
    // Drops the state of an earlier stream, which is outdated.
    setState((before) => ({ ...before, progress: null }));
    void follow(session, id, controller.signal, setState);
    return () => controller.abort();
  }, [session, id, round]);
  return { progress: state.progress, perMinute: paceOf(state.samples), error: state.error };
}

async function follow(
  { client }: ConsoleSession,
  id: string,
  signal: AbortSignal,
  setState: (update: (before: ProgressState) => ProgressState) => void,
): Promise<void> {
  try {
    for await (const progress of client.campaigns.events(id, { signal })) {
      const sample = { atMs: performance.now(), calls: progress.total_calls };
      setState(({ samples }) => ({ progress, samples: withSample(samples, sample), error: null }));
    }
  } catch (error) {
    if (!signal.aborted) setState((before) => ({ ...before, error }));
  }
}
