import './live-calls.css';
import type { JSX } from 'preact';
import type { ConsoleSession } from '../../../session/session.ts';
import { texts } from '../../../texts/en.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { EmptyState } from '../../../ui/list/empty-state.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { formatCount } from '../../../ui/values/format.ts';
import { ConnectionMark } from '../parts/connection-mark.tsx';
import { rowsOf } from './live-calls.ts';
import { LiveTable } from './live-table.tsx';
import { maxListed, useLiveCalls } from './use-live-calls.ts';

/** The list of all live calls. */
export function LiveCallsPage({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { live, total, connection, error, retry } = useLiveCalls(session.client);
  const rows = rowsOf(live);
  return (
    <section class="page live">
      <header class="page-head">
        <PageTitle title={texts.live.title} />
        <ConnectionMark connection={connection} />
      </header>
      {error !== null && <ErrorNotice error={error} onRetry={retry} />}
      {total === null && error === null && <Loading />}
      {total !== null && rows.length === 0 && (
        <EmptyState title={texts.live.none}>
          <p>{texts.live.noneExplanation}</p>
        </EmptyState>
      )}
      {rows.length > 0 && <LiveTable rows={rows} />}
      {total !== null && total > maxListed && (
        <p class="muted small">{texts.live.more(formatCount(maxListed), formatCount(total))}</p>
      )}
    </section>
  );
}
