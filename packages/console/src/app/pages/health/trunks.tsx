import type { JSX } from 'preact';
import { useResource } from '../../data/use-resource.ts';
import type { Session } from '../../session/session.ts';
import { texts } from '../../texts/en.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';

/** The trunks of the organization, and whether calls may go through them. */
export function Trunks({ session }: { readonly session: Session }): JSX.Element {
  const { value, error, reload } = useResource('trunks', (signal) =>
    session.client.trunks.list({ limit: 1_000 }, { signal }),
  );
  const { title, none, active, inactive } = texts.health.trunks;
  return (
    <section class="card stack">
      <h2>{title}</h2>
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {value?.length === 0 && <p class="muted">{none}</p>}
      <ul>
        {value?.map(({ id, name, is_active }) => (
          <li key={id}>
            <span>{name}</span>{' '}
            <span class={`badge ${is_active ? 'ok' : 'degraded'}`}>{is_active ? active : inactive}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
