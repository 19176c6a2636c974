import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { texts } from '../texts/en.ts';
import { Button } from './button.tsx';

const shownMs = 2_000;

/** Copies a text to the clipboard. */
export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }): JSX.Element {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setState('done');
    } catch {
      setState('failed');
    }
    setTimeout(() => setState('idle'), shownMs);
  };
  const words = { idle: label ?? texts.copy.copy, done: texts.copy.done, failed: texts.copy.failed };
  return <Button onClick={() => void copy()}>{words[state]}</Button>;
}
