import type { Client, NewControlCommand } from '@va/client';
import { useCallback, useRef } from 'preact/hooks';
import type { ViewChange } from './call-view.ts';

/** Sends a command to the call. Resolves to true if the service accepted it. */
export type RunCommand = (text: string, command: NewControlCommand) => Promise<boolean>;

/** Returns a function that sends commands and shows them with their outcome in the transcript. */
export function useCommands(client: Client, id: string, apply: (change: ViewChange) => void): RunCommand {
  const sent = useRef(0);
  return useCallback(
    async (text, command) => {
      sent.current += 1;
      const line = { id: String(sent.current), at: new Date().toISOString(), text };
      apply({ type: 'command', command: { ...line, state: 'sending', error: null } });
      try {
        await client.calls.control(id, command);
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        apply({ type: 'command', command: { ...line, state: 'failed', error } });
        return false;
      }
      apply({ type: 'command', command: { ...line, state: 'done', error: null } });
      return true;
    },
    [client, id, apply],
  );
}
