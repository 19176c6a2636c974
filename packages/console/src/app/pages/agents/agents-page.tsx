import './agents.css';
import type { JSX } from 'preact';
import { route } from '../../router/route.ts';
import type { ConsoleSession } from '../../session/session.ts';
import { AgentList } from './agent-list.tsx';
import { AgentEditor } from './editor/agent-editor.tsx';
import { FirstRun } from './start/first-run.tsx';

/** Routes `#/agents`, `#/agents/start` (onboarding) and `#/agents/<id>/<tab>`. */
export function AgentsPage({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const [, id, tab] = route.value.path;
  if (id === 'start') return <FirstRun session={session} />;
  return id === undefined ? <AgentList session={session} /> : <AgentEditor key={id} {...{ session, id, tab }} />;
}
