import type { JSX } from 'preact';
import { texts } from '../../texts/en.ts';

/** The rest of an interrupted reply that the caller did not hear, in grey after the heard words. */
export function Unheard({ text }: { readonly text: string }): JSX.Element | null {
  if (text === '') return null;
  return (
    <span class="unheard" title={texts.unheard.title}>
      <span class="visually-hidden">{texts.unheard.label}</span> {text}
    </span>
  );
}
