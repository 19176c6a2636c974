import type { JSX } from 'preact';
import { isFields, valueAt } from '../../../../data/paths.ts';
import { can } from '../../../../session/session.ts';
import { agentTexts } from '../../../../texts/en/agents.ts';
import { ErrorNotice } from '../../../../ui/error-notice.tsx';
import { type FormState, stringAt } from '../../../../ui/form/form-state.ts';
import type { TabProps } from '../../tab-props.ts';
import { Block } from '../block.tsx';
import { SampleButton } from './sample-button.tsx';
import { sampleOf } from './sample-of.ts';
import { type Samples, useSamples } from './use-samples.ts';
import { VoiceList } from './voice-list.tsx';

/** Maximum number of characters of a first message that is used as sample text. */
const maxCharacters = 200;

/** The synthesizer's settings and the available voices with their samples. */
export function VoiceTab(props: TabProps): JSX.Element {
  const samples = useSamples(props.session);
  const canListen = can(props.session.scopes, 'agents:write');
  return (
    <>
      <Block {...props} path="tts_config" />
      {canListen && <OwnVoice form={props.form} samples={samples} />}
      {samples.error !== null && <ErrorNotice error={samples.error} />}
      <p class="visually-hidden" role="status">
        {samples.isLoading && agentTexts.samples.loading}
      </p>
      <VoiceList {...props} samples={canListen ? samples : null} />
    </>
  );
}

/** Plays the voice of the form, saved or not. */
function OwnVoice({ form, samples }: { readonly form: FormState; readonly samples: Samples }): JSX.Element | null {
  const config = valueAt(form.values, 'tts_config');
  if (!isFields(config) || typeof config.provider !== 'string' || config.provider === '') return null;
  const language = stringAt(form, 'stt_config.language');
  const firstMessage = stringAt(form, 'first_message').trim();
  const isSpeakable = firstMessage !== '' && firstMessage.length <= maxCharacters && !firstMessage.includes('{{');
  const sample = sampleOf(config, language);
  const { listen, listenToFirst } = agentTexts.samples;
  return (
    <div class="actions">
      <SampleButton samples={samples} name="own" sample={sample} label={listen} hasText />
      {isSpeakable && (
        <SampleButton
          samples={samples}
          name="first message"
          sample={{ ...sample, text: firstMessage }}
          label={listenToFirst}
          hasText
        />
      )}
    </div>
  );
}
