import { createWebCall, type WebCall, type WebCallState } from '@va/web';
import { useEffect, useRef, useState } from 'preact/hooks';
import workletUrl from '../../../../audio/worklet.ts?worker&url';
import type { ConsoleSession } from '../../../../session/session.ts';

type SupervisorMode = 'listen' | 'talk';

export interface Supervision {
  /** Null while the user has not joined the call. */
  readonly mode: SupervisorMode | null;
  readonly state: WebCallState;
  readonly isMuted: boolean;
  /** True while the browser requires a click before it plays audio. */
  readonly isSuspended: boolean;
  /** True if the service ended the supervision. */
  readonly isRefused: boolean;
  readonly error: unknown;
  readonly join: (mode: SupervisorMode) => Promise<void>;
  readonly leave: () => void;
  readonly mute: (isMuted: boolean) => void;
}

type SupervisionState = Pick<Supervision, 'mode' | 'state' | 'isMuted' | 'isSuspended' | 'isRefused' | 'error'>;

const apart: SupervisionState = {
  mode: null,
  state: 'idle',
  isMuted: false,
  isSuspended: false,
  isRefused: false,
  error: null,
};

/** Joins a call as supervisor. Leaves it when the component unmounts. */
export function useSupervision({ client }: ConsoleSession, callId: string): Supervision {
  const [shown, setShown] = useState(apart);
  const joined = useRef<WebCall | null>(null);
  /** Counts joins and leaves, so that events of an earlier join are ignored. */
  const round = useRef(0);
  const hangUp = (): void => {
    round.current += 1;
    joined.current?.hangUp();
    joined.current = null;
  };
  const leave = (): void => {
    hangUp();
    setShown(apart);
  };
  useEffect(() => hangUp, []);
  const join = async (mode: SupervisorMode): Promise<void> => {
    hangUp();
    const { current: own } = round;
    setShown({ ...apart, mode, state: 'connecting' });
    const show = (changes: Partial<SupervisionState>): void => {
      if (round.current === own) setShown((before) => ({ ...before, ...changes }));
    };
    try {
      const { url, token } = await (mode === 'listen' ? client.calls.listen(callId) : client.calls.takeOver(callId));
      if (round.current !== own) return;
      const call = createWebCall({ url, token, workletUrl, microphone: mode === 'talk' });
      joined.current = call;
      call.on('state', ({ state }) => show({ state, isSuspended: false }));
      call.on('suspended', () => show({ isSuspended: true }));
      call.on('ended', ({ reason, error }) => show({ ...apart, error, isRefused: reason === 'declined' }));
      await call.start();
    } catch (error) {
      show({ ...apart, error });
    }
  };
  return {
    ...shown,
    join,
    leave,
    mute(isMuted) {
      joined.current?.mute(isMuted);
      setShown((before) => ({ ...before, isMuted }));
    },
  };
}
