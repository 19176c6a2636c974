import type { JSX } from 'preact';
import { agentTexts } from '../../../../texts/en/agents.ts';
import type { NewSample, Samples } from './use-samples.ts';

/** Toggles the playback of a sample. */
export function SampleButton(props: {
  readonly samples: Samples;
  /** Identifies the sample among those of the page. */
  readonly name: string;
  readonly sample: NewSample;
  readonly label: string;
  /** True to show the label beside the icon. */
  readonly hasText?: boolean;
}): JSX.Element {
  const { samples, name, sample, label, hasText = false } = props;
  const isCurrent = samples.current === name;
  const isLoading = isCurrent && samples.isLoading;
  const text = isCurrent ? agentTexts.samples.stop : label;
  return (
    <button
      class={`button ${hasText ? 'plain' : 'quiet'} sample`}
      type="button"
      aria-label={text}
      aria-busy={isLoading}
      title={hasText ? undefined : text}
      onClick={() => samples.toggle(name, sample)}
    >
      <span aria-hidden="true">{isLoading ? '…' : isCurrent ? '■' : '▶'}</span>
      {hasText && <span>{text}</span>}
    </button>
  );
}
