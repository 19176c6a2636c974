import type { Agent } from '@va/client';
import { changedFields, type JsonObject } from '../../data/paths.ts';
import type { ConsoleSession } from '../../session/session.ts';

const drafts = new WeakMap<ConsoleSession, Map<string, JsonObject>>();

/** Returns the unsaved form values of agents, by agent id. They survive navigation and end with the session. */
export function draftsOf(session: ConsoleSession): Map<string, JsonObject> {
  const known = drafts.get(session) ?? new Map<string, JsonObject>();
  drafts.set(session, known);
  return known;
}

/** Returns true if an agent has unsaved changes. */
export function hasDraft(session: ConsoleSession, agent: Agent): boolean {
  const draft = draftsOf(session).get(agent.id);
  return draft !== undefined && Object.keys(changedFields(fieldsOf(agent), draft)).length > 0;
}

export function fieldsOf(agent: Agent): JsonObject {
  const { id: _id, created_at: _created, updated_at: _updated, ...fields } = agent;
  return fields;
}
