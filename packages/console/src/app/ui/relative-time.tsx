import type { JSX } from 'preact';
import { formatAge, formatTime } from './format.ts';

/** A past instant as its age, with the exact time as its title. The page renders it again when it refreshes. */
export function RelativeTime({ at }: { readonly at: string }): JSX.Element {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatAge(at)}
    </time>
  );
}
