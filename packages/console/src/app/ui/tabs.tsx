import type { JSX } from 'preact';

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly href: string;
  /** Marks a tab with unsaved changes or faults. */
  readonly mark?: 'changed' | 'faulty' | undefined;
}

/** Parts of a page, each with its own link. */
export function Tabs({
  tabs,
  current,
  label,
}: {
  readonly tabs: readonly Tab[];
  readonly current: string;
  readonly label: string;
}): JSX.Element {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ id, title, href, mark }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {title}
          {mark !== undefined && <span class={`mark ${mark}`} aria-hidden="true" />}
        </a>
      ))}
    </nav>
  );
}
