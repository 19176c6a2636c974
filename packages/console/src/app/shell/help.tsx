import type { JSX } from 'preact';
import { texts } from '../texts/en.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { isHelpOpen } from '../ui/keyboard/keys.ts';

/** The list of keyboard shortcuts, while it is asked for. */
export function Help(): JSX.Element | null {
  if (!isHelpOpen.value) return null;
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <Dialog title={texts.help.title} onClose={close}>
      <dl class="shortcuts">
        {texts.help.keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
