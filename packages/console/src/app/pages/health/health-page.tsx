import './health.css';
import type { JSX } from 'preact';
import { useRefresh } from '../../data/use-refresh.ts';
import { useResource } from '../../data/use-resource.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { texts } from '../../texts/en.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { formatTime } from '../../ui/values/format.ts';
import { DeploymentView } from './deployment.tsx';
import { Trunks } from './trunks.tsx';

/** The health checks of the service, refreshed while the page is open. */
export function HealthPage({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { value, error, isLoading, reload } = useResource('health', (signal) => session.client.health.get({ signal }));
  useRefresh(reload);
  const words = texts.health;
  return (
    <section class="page health">
      <header class="page-head">
        <PageTitle title={words.title} />
        <Button shortcut="r" onClick={reload} isBusy={isLoading}>
          {words.refresh}
        </Button>
      </header>
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {value === null && error === null && <Loading />}
      {value !== null && (
        <section class="card stack" aria-live="polite">
          <p>
            <span class={`badge ${value.status}`}>{words.statuses[value.status]}</span>
          </p>
          <dl>
            <dt>{words.version}</dt>
            <dd>{value.version}</dd>
            <dt>{words.checkedAt}</dt>
            <dd>{formatTime(value.timestamp)}</dd>
          </dl>
          <h2>{words.checks}</h2>
          <ul>
            {Object.entries(value.checks).map(([name, { status, message }]) => (
              <li key={name}>
                <span>{name}</span> <span class={`badge ${status}`}>{words.statuses[status]}</span>{' '}
                <span class="muted">{message}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {can(session.scopes, 'trunks:read') && <Trunks session={session} />}
      {session.isOperator && can(session.scopes, 'deployment:read') && <DeploymentView session={session} />}
    </section>
  );
}
