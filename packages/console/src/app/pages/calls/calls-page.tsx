import './calls.css';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { route } from '../../router/route.ts';
import type { ConsoleSession } from '../../session/session.ts';
import { texts } from '../../texts/en.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { EmptyState } from '../../ui/list/empty-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { formatCount } from '../../ui/values/format.ts';
import { CallPage } from '../call/call-page.tsx';
import { CallFilters } from './call-filters.tsx';
import { CallPages } from './call-pages.ts';
import { filterOf, toCallQuery } from './call-query.ts';
import { CallTable } from './call-table.tsx';
import { SearchField } from './search-field.tsx';
import { useEndedCalls } from './use-ended-calls.ts';

/** The last list, reused when the user returns from a call. */
let remembered: { readonly session: ConsoleSession; readonly key: string; readonly pages: CallPages } | null = null;

/** Routes `#/calls` and `#/calls/<id>`. */
export function CallsPage({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const [, id] = route.value.path;
  if (id === undefined) return <CallList session={session} />;
  return <CallPage session={session} id={id} onErased={forgetList} />;
}

function forgetList(): void {
  remembered = null;
}

/** The list of calls, newest first, with filters and a full-text search of transcripts. */
function CallList({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const filter = filterOf(route.value.query);
  const key = JSON.stringify(filter);
  const [round, setRound] = useState(0);
  const pages = useMemo(() => {
    if (round === 0 && remembered?.session === session && remembered.key === key) return remembered.pages;
    const fresh = new CallPages(session.client, toCallQuery(filter));
    fresh.show(0, 1);
    remembered = { session, key, pages: fresh };
    return fresh;
  }, [session, key, round]);
  const ended = useEndedCalls(session.client, pages);
  const total = pages.total.value;
  const error = pages.error.value;
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <section class="page calls">
      <header class="page-head">
        <PageTitle title={texts.calls.title} />
        <SearchField query={filter.q ?? ''} />
      </header>
      <CallFilters session={session} filter={filter} />
      <p class="call-count muted small" aria-live="polite">
        {total !== null && countOf(total, filter.q !== undefined)}
        {ended > 0 && (
          <Button kind="quiet" onClick={() => setRound(round + 1)}>
            {texts.calls.ended(ended)}
          </Button>
        )}
      </p>
      {error !== null && (
        <ErrorNotice
          error={error}
          onRetry={() => {
            pages.retry();
            pages.show(0, 1);
          }}
        />
      )}
      {total === null && error === null && <Loading />}
      {total === 0 && <Nothing isFiltered={isFiltered} />}
      {total !== null && total > 0 && <CallTable pages={pages} total={total} />}
    </section>
  );
}

/** Maximum total that the API reports for a search. */
const maxCounted = 1_000;

function countOf(total: number, isSearch: boolean): string {
  const count = formatCount(total);
  return isSearch && total >= maxCounted ? texts.calls.totalOfSearch(count) : texts.calls.total(count);
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  const { none, noneExplanation, noneFound, noneFoundExplanation } = texts.calls;
  return (
    <EmptyState title={isFiltered ? noneFound : none}>
      <p>{isFiltered ? noneFoundExplanation : noneExplanation}</p>
    </EmptyState>
  );
}
