import type { Voice } from '@va/client';
import type { JSX } from 'preact';
import { isFields, type JsonObject, valueAt } from '../../../../data/paths.ts';
import { useResource } from '../../../../data/use-resource.ts';
import { can } from '../../../../session/session.ts';
import { agentTexts } from '../../../../texts/en/agents.ts';
import { Button } from '../../../../ui/button.tsx';
import { ErrorNotice } from '../../../../ui/error-notice.tsx';
import { type FormState, stringAt } from '../../../../ui/form/form-state.ts';
import { DataTable } from '../../../../ui/list/data-table.tsx';
import { Loading } from '../../../../ui/loading.tsx';
import type { TabProps } from '../../tab-props.ts';
import { SampleButton } from './sample-button.tsx';
import { sampleOf } from './sample-of.ts';
import type { Samples } from './use-samples.ts';

export interface VoiceListProps extends TabProps {
  /** Null if the session may not play samples. */
  readonly samples: Samples | null;
}

/** Lists the voices of the service to play and select. */
export function VoiceList({ session, form, samples }: VoiceListProps): JSX.Element | null {
  const isAllowed = can(session.scopes, 'voices:read');
  const { value, error } = useResource('voices', async () => (isAllowed ? await session.client.voices.list() : null));
  if (!isAllowed) return null;
  if (error !== null) return <ErrorNotice error={error} />;
  if (value === null) return <Loading />;
  const { voices: words } = agentTexts;
  return (
    <>
      <h2>{words.list}</h2>
      {value.voices.length === 0 ? (
        <p class="muted">{words.none}</p>
      ) : (
        <DataTable
          label={words.list}
          rows={value.voices}
          keyOf={({ provider, id }) => `${provider} ${id}`}
          columns={[
            ...(samples === null
              ? []
              : [{ title: words.columns.listen, cell: (voice: Voice) => <Listen {...{ form, samples, voice }} /> }]),
            { title: words.columns.name, cell: ({ name }) => name },
            { title: words.columns.language, cell: ({ language }) => language },
            { title: words.columns.provider, cell: ({ provider }) => provider },
            { title: words.columns.description, cell: ({ description }) => description.en },
            { title: words.columns.use, cell: (voice) => <FieldChoice form={form} voice={voice} /> },
          ]}
        />
      )}
    </>
  );
}

function FieldChoice({ form, voice }: { readonly form: FormState; readonly voice: Voice }): JSX.Element {
  const isUsed =
    stringAt(form, 'tts_config.voiceId') === voice.id && stringAt(form, 'tts_config.provider') === voice.provider;
  return (
    <Button isDisabled={isUsed || form.isDisabled} onClick={() => form.set('tts_config', configWith(form, voice))}>
      {isUsed ? agentTexts.voices.used : agentTexts.voices.use}
    </Button>
  );
}

/** Returns the synthesizer settings with another voice; drops settings of another provider. */
function configWith(form: FormState, { provider, id }: Voice): JsonObject {
  const before = valueAt(form.values, 'tts_config');
  const kept = isFields(before) && before.provider === provider ? before : {};
  return { ...kept, provider, voiceId: id };
}

function Listen(props: { readonly form: FormState; readonly samples: Samples; readonly voice: Voice }): JSX.Element {
  const { form, samples, voice } = props;
  return (
    <SampleButton
      samples={samples}
      name={`${voice.provider} ${voice.id}`}
      sample={sampleOf(configWith(form, voice), voice.language)}
      label={agentTexts.samples.listenTo(voice.name)}
    />
  );
}
