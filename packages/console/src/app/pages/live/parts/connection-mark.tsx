import type { JSX } from 'preact';
import type { Connection } from '../../../data/use-stream.ts';
import { texts } from '../../../texts/en.ts';

/** Says whether the page is up to date, in the same place whatever it says. */
export function ConnectionMark({ connection }: { readonly connection: Connection }): JSX.Element {
  return (
    <p class={`connection ${connection}`} role="status">
      {texts.live.connection[connection]}
    </p>
  );
}
