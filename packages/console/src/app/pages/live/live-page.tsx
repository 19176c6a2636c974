import './live.css';
import type { JSX } from 'preact';
import { route } from '../../router/route.ts';
import type { ConsoleSession } from '../../session/session.ts';
import { LiveCallPage } from './call/live-call-page.tsx';
import { LiveCallsPage } from './list/live-calls-page.tsx';

/** Routes `#/live` and `#/live/<id>`. */
export function LivePage({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const [, id] = route.value.path;
  return id === undefined ? <LiveCallsPage session={session} /> : <LiveCallPage key={id} id={id} session={session} />;
}
