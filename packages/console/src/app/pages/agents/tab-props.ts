import type { Agent } from '@va/client';
import type { JsonObject } from '../../data/paths.ts';
import type { FormSchema } from '../../data/schema.ts';
import type { ConsoleSession } from '../../session/session.ts';
import type { FormState } from '../../ui/form/form-state.ts';

/** Props of a tab of the agent editor. */
export interface TabProps {
  readonly session: ConsoleSession;
  readonly agent: Agent;
  readonly schema: FormSchema;
  readonly form: FormState;
  /** Unsaved fields of the agent with their new values. */
  readonly changes: JsonObject;
  /** Replaces the saved agent after a change outside the form. */
  readonly onAgent: (agent: Agent) => void;
}
