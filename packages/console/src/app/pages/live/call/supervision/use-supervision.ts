import { createWebCall, type WebCall, type WebCallState } from '@va/web';
import { useEffect, useRef, useState } from 'preact/hooks';
import workletUrl from '../../../../audio/worklet.ts?worker&url';
import type { Session } from '../../../../session/session.ts';

export type SupervisionMode = 'listen' | 'talk';

export interface Supervision {
  /** Null while the visitor is not in the call. */
  readonly mode: SupervisionMode | null;
  readonly state: WebCallState;
  readonly isMuted: boolean;
  /** True while the browser waits for a click before it plays sound. */
  readonly isSuspended: boolean;
  /** Set if the service sent the visitor away. */
  readonly isRefused: boolean;
  readonly error: unknown;
  readonly join: (mode: SupervisionMode) => Promise<void>;
  readonly leave: () => void;
  readonly mute: (isMuted: boolean) => void;
}

type Shown = Pick<Supervision, 'mode' | 'state' | 'isMuted' | 'isSuspended' | 'isRefused' | 'error'>;

const apart: Shown = {
  mode: null,
  state: 'idle',
  isMuted: false,
  isSuspended: false,
  isRefused: false,
  error: null,
};

/** The visitor's audio in a call, which ends with the component. */
export function useSupervision({ client }: Session, callId: string): Supervision {
  const [shown, setShown] = useState(apart);
  const joined = useRef<WebCall | null>(null);
  /** Counts joins and leaves: what belongs to an earlier one is over. */
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
  const join = async (mode: SupervisionMode): Promise<void> => {
    hangUp();
    const { current: own } = round;
    setShown({ ...apart, mode, state: 'connecting' });
    const show = (changes: Partial<Shown>): void => {
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
