import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { texts } from '../../../../texts/en.ts';
import { Button } from '../../../../ui/button.tsx';
import type { RunCommand } from '../use-commands.ts';

export interface MuteButtonProps {
  readonly run: RunCommand;
  /** State reported by the service. */
  readonly isMuted: boolean;
  readonly isDisabled: boolean;
}

/** Mutes or unmutes the agent. Changes optimistically, and back if the command fails. */
export function MuteButton({ run, isMuted, isDisabled }: MuteButtonProps): JSX.Element {
  const [wanted, setWanted] = useState<boolean | null>(null);
  useEffect(() => setWanted(null), [isMuted]);
  const shown = wanted ?? isMuted;
  const { actions } = texts.live;
  const toggle = async (): Promise<void> => {
    const next = !shown;
    setWanted(next);
    const isDone = await run(next ? actions.did.mute : actions.did.unmute, {
      type: next ? 'mute-assistant' : 'unmute-assistant',
    });
    if (!isDone) setWanted(null);
  };
  return (
    <Button isDisabled={isDisabled} onClick={() => void toggle()}>
      {shown ? actions.unmute : actions.mute}
    </Button>
  );
}
