import type { JSX } from 'preact';
import { hrefOf } from '../router/fragment.ts';

/** Link from a record to its list. */
export function BackLink({ to, children }: { readonly to: readonly string[]; readonly children: string }): JSX.Element {
  return (
    <a class="back small" href={hrefOf(to)}>
      <span aria-hidden="true">←</span> {children}
    </a>
  );
}
