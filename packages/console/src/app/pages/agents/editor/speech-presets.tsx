import type { JSX } from 'preact';
import { agentTexts } from '../../../texts/en/agents.ts';
import { type FormState, stringAt } from '../../../ui/form/form-state.ts';

const path = 'speech_config.endpointing.preset';
const presets = ['quick', 'balanced', 'patient'] as const;

/** The endpointing presets with explanations. */
export function SpeechPresets({ form }: { readonly form: FormState }): JSX.Element {
  const chosen = stringAt(form, path) || 'balanced';
  return (
    <fieldset class="templates" disabled={form.isDisabled}>
      <legend>{agentTexts.presets.legend}</legend>
      <p class="help">{agentTexts.speechHelp}</p>
      {presets.map((preset) => {
        const [title, explanation] = agentTexts.presets[preset];
        return (
          <label key={preset} class="choice-card">
            <input type="radio" name="preset" checked={preset === chosen} onChange={() => form.set(path, preset)} />
            <span>
              <strong>{title}</strong>
              <span class="help">{explanation}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
