import type { JSX } from 'preact';

export interface SwitchProps {
  /** Name of what is switched, for screen readers. */
  readonly label: string;
  readonly isOn: boolean;
  /** Words for the present state. */
  readonly words: string;
  readonly onChange: (isOn: boolean) => void;
}

/** A setting that is changed at once. */
export function Switch({ label, isOn, words, onChange }: SwitchProps): JSX.Element {
  return (
    <button
      class="switch"
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      onClick={() => onChange(!isOn)}
    >
      <span class="switch-track" aria-hidden="true" />
      <span class="small" aria-hidden="true">
        {words}
      </span>
    </button>
  );
}
