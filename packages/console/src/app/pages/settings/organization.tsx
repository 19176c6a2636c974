import type { JSX } from 'preact';
import { useResource } from '../../data/use-resource.ts';
import type { ConsoleSession } from '../../session/session.ts';
import { settingsTexts } from '../../texts/en/settings.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { formatCount, formatTime } from '../../ui/values/format.ts';

/** Plan, balances and limits of the organization, and the signed-in user. */
export function Organization({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { value, error, reload } = useResource('organization', () => session.client.organizations.get());
  const { organization: words } = settingsTexts;
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  if (value === null) return <Loading />;
  const amount = (number: number | null): string => (number === null ? words.unlimited : formatCount(number));
  const facts: readonly (readonly [string, string])[] = [
    [words.name, value.name],
    [words.id, value.id],
    [words.plan, value.plan],
    [words.minutes, amount(value.minutes_balance)],
    [words.credit, amount(value.credit_balance)],
    [words.usage, formatCount(value.monthly_usage_minutes)],
    [words.agents, formatCount(value.active_agents)],
    [words.numbers, formatCount(value.active_numbers)],
    [words.calls, formatCount(value.active_calls)],
    [words.concurrency, amount(value.concurrency.limit)],
    [words.created, formatTime(value.created_at)],
    [words.signedInAs, session.subject ?? words.apiKey],
  ];
  return (
    <dl class="card facts">
      {facts.map(([name, fact]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
