import type { ComponentChildren, JSX } from 'preact';

/** Placeholder of an empty list, with an action to create the first record. */
export function EmptyState({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
