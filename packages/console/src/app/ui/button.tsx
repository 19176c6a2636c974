import type { ComponentChildren, JSX } from 'preact';

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  readonly type?: 'button' | 'submit';
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Explains a button without words, or why it is disabled. */
  readonly title?: string;
  readonly onClick?: () => void;
}

export function Button(props: ButtonProps): JSX.Element {
  const { children, kind = 'plain', type = 'button', isBusy = false, isDisabled = false, title, onClick } = props;
  return (
    <button
      class={`button ${kind}`}
      type={type}
      disabled={isDisabled || isBusy}
      aria-busy={isBusy}
      title={title}
      aria-label={title}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
