import type { Voice } from '@va/client';
import type { JSX } from 'preact';
import { isFields, valueAt } from '../../../data/paths.ts';
import { useResource } from '../../../data/use-resource.ts';
import { can } from '../../../session/session.ts';
import { agentTexts } from '../../../texts/en/agents.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { type Form, stringAt } from '../../../ui/form/form-state.ts';
import { Loading } from '../../../ui/loading.tsx';
import type { TabProps } from './tab-content.tsx';

/** The voices that the service lists, to choose from. */
export function VoiceList({ session, form }: TabProps): JSX.Element | null {
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
            { title: words.columns.name, cell: ({ name }) => name },
            { title: words.columns.language, cell: ({ language }) => language },
            { title: words.columns.provider, cell: ({ provider }) => provider },
            { title: words.columns.description, cell: ({ description }) => description.en },
            { title: words.columns.use, cell: (voice) => <Choice form={form} voice={voice} /> },
          ]}
        />
      )}
    </>
  );
}

function Choice({ form, voice }: { readonly form: Form; readonly voice: Voice }): JSX.Element {
  const isUsed =
    stringAt(form, 'tts_config.voiceId') === voice.id && stringAt(form, 'tts_config.provider') === voice.provider;
  const before = valueAt(form.values, 'tts_config');
  const choose = (): void => {
    const kept = isFields(before) && before.provider === voice.provider ? before : {};
    form.set('tts_config', { ...kept, provider: voice.provider, voiceId: voice.id });
  };
  return (
    <Button isDisabled={isUsed || form.isDisabled} onClick={choose}>
      {isUsed ? agentTexts.voices.used : agentTexts.voices.use}
    </Button>
  );
}
