import type { JSX } from 'preact';

/** Levels below this are shown as silence. */
const quietestDb = -50;

/** The loudness of one side as a bar. What it shows is in words beside it: who speaks. */
export function Level({ db }: { readonly db: number }): JSX.Element {
  const share = Math.max(0, Math.min(1, 1 - db / quietestDb));
  return (
    <span class="level" aria-hidden="true">
      <span class="level-bar" style={{ transform: `scaleX(${share.toFixed(2)})` }} />
    </span>
  );
}
