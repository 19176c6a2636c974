import type { Agent, ByokProvider } from '@va/client';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { agentTexts } from '../../../texts/en/agents.ts';

/** Providers of an agent; recognizer and voice are empty for a speech-to-speech model. */
export interface Engines {
  readonly llm: string;
  readonly stt: string;
  readonly tts: string;
  readonly voiceId: string;
  readonly isRealtime: boolean;
  /** Agent whose settings of the same providers are reused, or null. */
  readonly model: Agent | null;
}

/** Returns the engines of the newest complete agent, or the first of each kind in the catalog. */
export function likelyEngines(agents: readonly Agent[], catalog: readonly ByokProvider[]): Engines {
  const model = agents.find((agent) => agent.llm_config !== null && agent.tts_config !== null);
  const first = (category: string): string => catalog.find((each) => each.category === category)?.id ?? '';
  return {
    llm: model?.llm_config?.provider ?? first('llm'),
    stt: model?.stt_config?.provider ?? first('stt'),
    tts: model?.tts_config?.provider ?? first('tts'),
    voiceId: model?.tts_config?.voiceId ?? catalog.find(({ category }) => category === 'tts')?.voices[0]?.id ?? '',
    isRealtime: false,
    model: model ?? null,
  };
}

export interface EngineFieldsProps {
  readonly engines: Engines;
  readonly catalog: readonly ByokProvider[];
  readonly onChange: (engines: Engines) => void;
}

export function EngineFields({ engines, catalog, onChange }: EngineFieldsProps): JSX.Element {
  const { engines: words } = agentTexts;
  const list = useId();
  const input = (key: 'llm' | 'stt' | 'tts' | 'voiceId'): JSX.Element => (
    <label class="field">
      <span>{words[key]}</span>
      <input
        list={key === 'voiceId' ? '' : list}
        required={key !== 'voiceId'}
        autocomplete="off"
        value={engines[key]}
        onInput={(event) => onChange({ ...engines, [key]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <fieldset class="group">
      <legend>{words.legend}</legend>
      <p class="help">{words.help}</p>
      <datalist id={list}>
        {catalog.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      <div class="columns">
        {input('llm')}
        {!engines.isRealtime && input('stt')}
        {!engines.isRealtime && input('tts')}
        {!engines.isRealtime && input('voiceId')}
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={engines.isRealtime}
          onChange={(event) => onChange({ ...engines, isRealtime: event.currentTarget.checked })}
        />
        <span>{words.realtime}</span>
      </label>
    </fieldset>
  );
}
