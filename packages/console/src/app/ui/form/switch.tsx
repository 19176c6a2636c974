import type { JSX } from 'preact';

export interface SwitchProps {
  /** Accessible name of the setting. */
  readonly label: string;
  readonly isOn: boolean;
  /** Text of the current state. */
  readonly words: string;
  readonly onChange: (isOn: boolean) => void;
}

/** A toggle that applies immediately. */
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
