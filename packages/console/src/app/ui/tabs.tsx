import type { JSX } from 'preact';
import { texts } from '../texts/en.ts';
import { useCurrentInView } from './list/use-current-in-view.ts';

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly href: string;
  /** Marks a tab with unsaved changes or invalid fields. */
  readonly mark?: 'changed' | 'faulty' | undefined;
}

/** Tabs of a page, each with its own URL. */
export function Tabs({
  tabs,
  current,
  label,
}: {
  readonly tabs: readonly Tab[];
  readonly current: string;
  readonly label: string;
}): JSX.Element {
  const row = useCurrentInView(current);
  return (
    <nav ref={row} class="tabs" aria-label={label}>
      {tabs.map(({ id, title, href, mark }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {title}
          {mark !== undefined && (
            <span class={`mark ${mark}`}>
              <span class="visually-hidden">{texts.marks[mark]}</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}
