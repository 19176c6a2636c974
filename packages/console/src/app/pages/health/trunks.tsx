import type { JSX } from 'preact';
import { useRefresh } from '../../data/use-refresh.ts';
import { useResource } from '../../data/use-resource.ts';
import { hrefOf } from '../../router/fragment.ts';
import type { ConsoleSession } from '../../session/session.ts';
import { texts } from '../../texts/en.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { TrunkState } from '../../ui/values/trunk-state.tsx';

/** The organization's trunks with their health. */
export function Trunks({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { value, error, reload } = useResource('trunks', async (signal) => {
    const { trunks } = session.client;
    const [all, health] = await Promise.all([
      trunks.list({ limit: 1_000 }, { signal }),
      trunks.healthOfAll({ signal }),
    ]);
    return all.map((trunk) => ({ ...trunk, health: health.find((each) => each.trunk_id === trunk.id) ?? null }));
  });
  useRefresh(reload);
  const { title, none, inactive } = texts.health.trunks;
  return (
    <section class="card stack">
      <h2>{title}</h2>
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {value?.length === 0 && <p class="muted">{none}</p>}
      <ul class="trunk-list">
        {value?.map(({ id, name, is_active, health }) => (
          <li key={id}>
            <a href={hrefOf(['numbers', 'trunks'])}>{name}</a>
            {!is_active && <span class="badge">{inactive}</span>}
            {health !== null && <TrunkState health={health} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
