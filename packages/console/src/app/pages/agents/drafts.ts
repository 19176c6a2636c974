import type { Agent } from '@va/client';
import { changedFields, type Fields } from '../../data/paths.ts';
import type { Session } from '../../session/session.ts';

const drafts = new WeakMap<Session, Map<string, Fields>>();

/** Unsaved form values of agents. They survive navigation and end with the session. */
export function draftsOf(session: Session): Map<string, Fields> {
  const known = drafts.get(session) ?? new Map<string, Fields>();
  drafts.set(session, known);
  return known;
}

/** Returns true if an agent has unsaved changes. */
export function hasDraft(session: Session, agent: Agent): boolean {
  const draft = draftsOf(session).get(agent.id);
  return draft !== undefined && Object.keys(changedFields(fieldsOf(agent), draft)).length > 0;
}

export function fieldsOf(agent: Agent): Fields {
  const { id: _id, created_at: _created, updated_at: _updated, ...fields } = agent;
  return fields;
}
