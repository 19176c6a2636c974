import type { JSX } from 'preact';
import { texts } from '../../texts/en.ts';

/** The unspoken rest of an interrupted reply, in grey after the spoken words. */
export function Unheard({ text }: { readonly text: string }): JSX.Element | null {
  if (text === '') return null;
  return (
    <span class="unheard" title={texts.unheard.title}>
      <span class="visually-hidden">{texts.unheard.label}</span> {text}
    </span>
  );
}
