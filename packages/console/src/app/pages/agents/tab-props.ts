import type { Agent } from '@va/client';
import type { Fields } from '../../data/paths.ts';
import type { Schema } from '../../data/schema.ts';
import type { Session } from '../../session/session.ts';
import type { Form } from '../../ui/form/form-state.ts';

/** Props of a tab of the agent editor. */
export interface TabProps {
  readonly session: Session;
  readonly agent: Agent;
  readonly schema: Schema;
  readonly form: Form;
  /** Paths of unsaved fields. */
  readonly changes: Fields;
  /** Replaces the saved agent after a change outside the form. */
  readonly onAgent: (agent: Agent) => void;
}
