import './agents.css';
import type { JSX } from 'preact';
import { route } from '../../router/route.ts';
import type { Session } from '../../session/session.ts';
import { AgentList } from './agent-list.tsx';
import { AgentEditor } from './editor/agent-editor.tsx';

/** `#/agents`, or `#/agents/<id>/<tab>`. */
export function AgentsPage({ session }: { readonly session: Session }): JSX.Element {
  const [, id, tab] = route.value.path;
  return id === undefined ? <AgentList session={session} /> : <AgentEditor key={id} {...{ session, id, tab }} />;
}
