import type { JSX } from 'preact';

/** Levels below this are shown as silence. */
const quietestDb = -50;

/** The audio level of one side as a bar. Hidden from screen readers: the text beside it says who speaks. */
export function Level({ db }: { readonly db: number }): JSX.Element {
  const share = Math.max(0, Math.min(1, 1 - db / quietestDb));
  return (
    <span class="level" aria-hidden="true">
      <span class="level-bar" style={{ transform: `scaleX(${share.toFixed(2)})` }} />
    </span>
  );
}
