import type { Call } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../data/use-resource.ts';
import { hrefOf, route, setQuery } from '../../router/route.ts';
import type { Session } from '../../session/session.ts';
import { texts } from '../../texts/en.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatCount, formatDuration, formatLatency, formatTime } from '../../ui/format.ts';
import { Loading } from '../../ui/loading.tsx';

const pageSize = 50;

/** The list of calls, newest first, with a search in their transcripts. */
export function CallsPage({ session }: { readonly session: Session }): JSX.Element {
  const { q = '' } = route.value.query;
  const [typed, setTyped] = useState(q);
  const { value, error, reload } = useResource(`calls ${q}`, () =>
    session.client.calls.list({ limit: pageSize, ...(q !== '' && { q }) }),
  );
  return (
    <section class="page">
      <header class="page-head">
        <h1>{texts.calls.title}</h1>
        <search>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              setQuery({ q: typed.trim() });
            }}
          >
            <input
              type="search"
              aria-label={texts.calls.search}
              placeholder={texts.calls.search}
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </form>
        </search>
      </header>
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {value === null ? error === null && <Loading /> : <CallTable calls={value.calls} isSearch={q !== ''} />}
      {value !== null && <p class="muted small">{texts.calls.total(formatCount(value.pagination.total))}</p>}
    </section>
  );
}

function CallTable({ calls, isSearch }: { readonly calls: readonly Call[]; readonly isSearch: boolean }): JSX.Element {
  if (calls.length === 0 && isSearch) return <EmptyState title={texts.calls.noneFound} />;
  if (calls.length === 0) {
    return (
      <EmptyState title={texts.calls.none}>
        <p>{texts.calls.noneExplanation}</p>
      </EmptyState>
    );
  }
  const { columns } = texts.calls;
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th>{columns.when}</th>
            <th>{columns.who}</th>
            <th>{columns.agent}</th>
            <th class="number">{columns.duration}</th>
            <th class="number">{columns.latency}</th>
            <th>{columns.end}</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr key={call.id}>
              <td>
                <a href={hrefOf(['calls', call.id])}>{formatTime(call.created_at)}</a>
              </td>
              <td>{otherParty(call)}</td>
              <td>{call.agent_name ?? '–'}</td>
              <td class="number">{formatDuration(call.duration_seconds)}</td>
              <td class="number">{formatLatency(call.latency?.total_ms?.p50 ?? null)}</td>
              <td>
                <span class={`badge ${call.status}`}>{call.end_reason ?? call.status}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function otherParty(call: Call): string {
  if (call.direction === 'web') return texts.calls.webCaller;
  return (call.direction === 'outbound' ? call.phone_number : call.caller_phone) ?? texts.calls.unknownCaller;
}
