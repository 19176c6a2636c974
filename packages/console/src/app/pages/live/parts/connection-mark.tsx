import type { JSX } from 'preact';
import type { EventStreamState } from '../../../data/use-stream.ts';
import { texts } from '../../../texts/en.ts';

/** The connection state of the page, in a fixed place. */
export function ConnectionMark({ connection }: { readonly connection: EventStreamState }): JSX.Element {
  return (
    <p class={`connection ${connection}`} role="status">
      {texts.live.connection[connection]}
    </p>
  );
}
