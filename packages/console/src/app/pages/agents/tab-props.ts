import type { Agent } from '@va/client';
import type { Fields } from '../../data/paths.ts';
import type { Schema } from '../../data/schema.ts';
import type { Session } from '../../session/session.ts';
import type { Form } from '../../ui/form/form-state.ts';

/** What a part of the editor of an agent gets. */
export interface TabProps {
  readonly session: Session;
  readonly agent: Agent;
  readonly schema: Schema;
  readonly form: Form;
  /** Fields that are not saved. */
  readonly changes: Fields;
  /** Takes over an agent that was changed apart from the form. */
  readonly onAgent: (agent: Agent) => void;
}
