import type { ComponentChildren, JSX } from 'preact';

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  readonly type?: 'button' | 'submit';
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Explains the button, such as why it is disabled. */
  readonly title?: string;
  /** Key that presses the button while nothing is being typed; at most one button of a page has it. */
  readonly shortcut?: string;
  readonly onClick?: () => void;
}

export function Button(props: ButtonProps): JSX.Element {
  const { children, kind = 'plain', type = 'button', isBusy = false, isDisabled = false } = props;
  return (
    <button
      class={`button ${kind}`}
      type={type}
      disabled={isDisabled || isBusy}
      aria-busy={isBusy}
      title={props.title}
      aria-keyshortcuts={props.shortcut}
      onClick={props.onClick}
    >
      {children}
    </button>
  );
}
