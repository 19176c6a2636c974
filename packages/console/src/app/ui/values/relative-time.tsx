import type { JSX } from 'preact';
import { formatAge, formatTime } from './format.ts';

/** The age of a past instant, with the exact time as its title. Updates when the page re-renders. */
export function RelativeTime({ at }: { readonly at: string }): JSX.Element {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatAge(at)}
    </time>
  );
}
