import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../../data/use-resource.ts';
import { hrefOf } from '../../../router/fragment.ts';
import { navigate, route } from '../../../router/route.ts';
import { type ConsoleSession, can } from '../../../session/session.ts';
import { startTexts } from '../../../texts/en/start.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { likelyEngines } from '../create/engines.tsx';
import { NewAgentForm } from '../create/new-agent.tsx';
import { TalkPanel } from '../talk/talk-panel.tsx';
import { EngineStep } from './engine-step.tsx';
import type { OnboardingData } from './onboarding-data.ts';

/** Onboarding at `#/agents/start`: select engines and a template, then call the new agent. */
export function FirstRun({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { agent } = route.value.query;
  const { value, error, reload } = useResource('first run', () => loadOffer(session));
  return (
    <section class="page">
      <header class="page-head">
        <PageTitle title={startTexts.title} />
      </header>
      {!can(session.scopes, 'agents:write') && <p class="notice warn">{startTexts.notAllowed}</p>}
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {value === null && error === null && <Loading />}
      {agent !== undefined && <Ready session={session} agentId={agent} />}
      {agent === undefined && value !== null && can(session.scopes, 'agents:write') && (
        <Setup session={session} offer={value} reload={reload} />
      )}
    </section>
  );
}

function Setup(props: {
  readonly session: ConsoleSession;
  readonly offer: OnboardingData;
  readonly reload: () => void;
}): JSX.Element {
  const { session, offer, reload } = props;
  const [engines, setEngines] = useState(() => likelyEngines([], offer.catalog));
  const [isChosen, setChosen] = useState(false);
  return (
    <>
      <Steps current={isChosen ? 1 : 0} />
      {isChosen ? (
        <div class="card form">
          <div class="actions">
            <Button onClick={() => setChosen(false)}>{startTexts.back}</Button>
          </div>
          <NewAgentForm
            session={session}
            agents={[]}
            catalog={offer.catalog}
            chosen={engines}
            onCreated={({ id }) => navigate(['agents', 'start'], { agent: id })}
          />
        </div>
      ) : (
        <EngineStep
          session={session}
          offer={offer}
          engines={engines}
          onChange={setEngines}
          onNext={() => setChosen(true)}
          onKey={reload}
        />
      )}
    </>
  );
}

function Ready({ session, agentId }: { readonly session: ConsoleSession; readonly agentId: string }): JSX.Element {
  return (
    <>
      <Steps current={2} />
      <p>
        {startTexts.ready} <a href={hrefOf(['agents', agentId])}>{startTexts.edit}</a>
      </p>
      <div class="narrow">
        <TalkPanel session={session} agentId={agentId} hasChanges={false} />
      </div>
    </>
  );
}

function Steps({ current }: { readonly current: number }): JSX.Element {
  return (
    <ol class="steps" aria-label={startTexts.stepsLabel}>
      {startTexts.steps.map((step, at) => (
        <li key={step} aria-current={at === current ? 'step' : undefined}>
          {step}
        </li>
      ))}
    </ol>
  );
}

/** Loads the parts that the session's scopes permit. */
async function loadOffer({ client, scopes }: ConsoleSession): Promise<OnboardingData> {
  const [catalog, keys, voices] = await Promise.all([
    can(scopes, 'byok:read') ? client.byok.config() : [],
    can(scopes, 'byok:read') ? client.byok.list() : {},
    can(scopes, 'voices:read') ? client.voices.list().then((answer) => answer.voices) : [],
  ]);
  const stored: Readonly<Record<string, string | null>> = keys;
  const withKey = new Set(catalog.filter(({ id }) => (stored[`${id}_secret_id`] ?? null) !== null).map(({ id }) => id));
  return { catalog, withKey, voices };
}
