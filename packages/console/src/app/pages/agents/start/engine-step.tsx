import type { ByokProvider } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type ConsoleSession, can } from '../../../session/session.ts';
import { settingsTexts } from '../../../texts/en/settings.ts';
import { startTexts } from '../../../texts/en/start.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/list/data-table.tsx';
import { ProviderKeyDialog } from '../../settings/provider-key-dialog.tsx';
import { EngineFields, type Engines } from '../create/engines.tsx';
import type { OnboardingData } from './onboarding-data.ts';

export interface EngineStepProps {
  readonly session: ConsoleSession;
  readonly offer: OnboardingData;
  readonly engines: Engines;
  readonly onChange: (engines: Engines) => void;
  readonly onNext: () => void;
  /** Called after a provider key was stored. */
  readonly onKey: () => void;
}

/** Selects the engines from the catalog and stores provider keys. */
export function EngineStep(props: EngineStepProps): JSX.Element {
  const { session, offer, engines, onChange, onNext, onKey } = props;
  const [edited, setEdited] = useState<ByokProvider | null>(null);
  const { columns } = startTexts;
  const { providers: words } = settingsTexts;
  const isComplete = engines.llm !== '' && (engines.isRealtime || (engines.stt !== '' && engines.tts !== ''));
  return (
    <>
      <form
        class="card form"
        onSubmit={(event) => {
          event.preventDefault();
          onNext();
        }}
      >
        {offer.catalog.length === 0 && <p class="muted">{startTexts.noCatalog}</p>}
        {offer.catalog.length > 0 && (
          <>
            <p class="muted">{startTexts.enginesExplanation}</p>
            <DataTable
              label={startTexts.steps[0] ?? ''}
              rows={offer.catalog}
              keyOf={({ id }) => id}
              columns={[
                { title: columns.provider, cell: ({ name }) => name },
                { title: columns.kind, cell: ({ category }) => startTexts.kinds[category] ?? category },
                {
                  title: columns.key,
                  cell: ({ id }) => (
                    <span class={offer.withKey.has(id) ? 'badge good' : 'badge'}>
                      {offer.withKey.has(id) ? words.set : words.notSet}
                    </span>
                  ),
                },
                {
                  title: columns.actions,
                  cell: (provider) => (
                    <div class="row-actions">
                      <Button kind="quiet" onClick={() => onChange(withProvider(engines, provider))}>
                        {startTexts.use}
                      </Button>
                      {can(session.scopes, 'byok:write') && (
                        <Button kind="quiet" onClick={() => setEdited(provider)}>
                          {words.add}
                        </Button>
                      )}
                    </div>
                  ),
                },
              ]}
            />
          </>
        )}
        <EngineFields engines={engines} catalog={offer.catalog} onChange={onChange} />
        {offer.voices.length > 0 && !engines.isRealtime && (
          <fieldset class="choices">
            <legend>{startTexts.voices}</legend>
            <div class="actions">
              {offer.voices.map(({ id, name, language, provider }) => (
                <Button
                  key={`${provider} ${id}`}
                  kind={engines.voiceId === id && engines.tts === provider ? 'primary' : 'plain'}
                  onClick={() => onChange({ ...engines, tts: provider, voiceId: id })}
                >
                  {name} ({language})
                </Button>
              ))}
            </div>
          </fieldset>
        )}
        <div class="actions">
          <Button kind="primary" type="submit" isDisabled={!isComplete}>
            {startTexts.next}
          </Button>
        </div>
      </form>
      {edited !== null && (
        <ProviderKeyDialog
          session={session}
          provider={edited}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setEdited(null);
            onKey();
          }}
        />
      )}
    </>
  );
}

/** Returns the engines with a provider in the place of its category. */
function withProvider(engines: Engines, { id, category, voices }: ByokProvider): Engines {
  switch (category) {
    case 'realtime':
      return { ...engines, llm: `${id}_realtime`, isRealtime: true };
    case 'stt':
      return { ...engines, stt: id, isRealtime: false };
    case 'tts':
      return { ...engines, tts: id, voiceId: voices[0]?.id ?? '', isRealtime: false };
    default:
      return { ...engines, llm: id, isRealtime: false };
  }
}
