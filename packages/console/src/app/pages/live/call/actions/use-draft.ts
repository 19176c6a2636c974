import { useState } from 'preact/hooks';

export interface Draft {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly isBusy: boolean;
  /** Clears the input, and restores it if the command fails and nothing else was typed meanwhile. */
  readonly send: (run: (text: string) => Promise<boolean>) => Promise<void>;
}

/** The draft text of a command. */
export function useDraft(): Draft {
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (run: (text: string) => Promise<boolean>): Promise<void> => {
    const sent = text.trim();
    if (sent === '' || isBusy) return;
    setText('');
    setBusy(true);
    const isDone = await run(sent);
    setBusy(false);
    if (!isDone) setText((now) => (now === '' ? sent : now));
  };
  return { text, setText, isBusy, send };
}
