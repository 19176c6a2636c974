import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { texts } from '../texts/en.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { isHelpOpen, searchField } from '../ui/keyboard/keys.ts';
import { hasRows } from '../ui/keyboard/rows.ts';
import { type Shortcut, shownShortcuts } from '../ui/keyboard/shortcuts.ts';

export interface HelpProps {
  readonly title: string;
  /** Segments of the URL's path. */
  readonly path: readonly string[];
}

/** The help dialog: purpose of the page and its keyboard shortcuts. */
export function Help(props: HelpProps): JSX.Element | null {
  return isHelpOpen.value ? <HelpDialog {...props} /> : null;
}

function HelpDialog({ title, path: [page = '', record] }: HelpProps): JSX.Element {
  const { help } = texts;
  const keys = useMemo(keysOfPage, []);
  const about: Readonly<Record<string, string>> = help.pages;
  return (
    <Dialog
      title={help.title(title)}
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <p>{(record !== undefined && about[`${page}/one`]) || about[page]}</p>
      {keys.length > 0 && <Keys title={help.ofPage} keys={keys} />}
      <Keys title={help.everywhere} keys={help.keys.map(([key, meaning]) => ({ key, meaning }))} />
    </Dialog>
  );
}

/** Returns the shortcuts that apply to the rendered page. */
function keysOfPage(): readonly Shortcut[] {
  const { rows, search } = texts.help;
  return [
    ...(hasRows() ? Object.entries(rows).map(([key, meaning]) => ({ key, meaning })) : []),
    ...(searchField() === null ? [] : [{ key: '/', meaning: search }]),
    ...shownShortcuts(),
  ];
}

function Keys({ title, keys }: { readonly title: string; readonly keys: readonly Shortcut[] }): JSX.Element {
  return (
    <section class="shortcuts" aria-label={title}>
      <h3>{title}</h3>
      <dl>
        {keys.map(({ key, meaning }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
