import type { Agent, ByokProvider } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../../data/use-action.ts';
import type { ConsoleSession } from '../../../session/session.ts';
import { agentTemplates } from '../../../texts/en/agent-templates.ts';
import { agentTexts } from '../../../texts/en/agents.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { agentOf } from './agent-of.ts';
import { EngineFields, type Engines, likelyEngines } from './engines.tsx';

export interface NewAgentFormProps {
  readonly session: ConsoleSession;
  readonly agents: readonly Agent[];
  readonly catalog: readonly ByokProvider[];
  /** Preselected engines. */
  readonly chosen?: Engines;
  readonly onCreated: (agent: Agent) => void;
}

/** Creates an agent from a template. */
export function NewAgentForm({ session, agents, catalog, chosen, onCreated }: NewAgentFormProps): JSX.Element {
  const [templateId, setTemplateId] = useState(agentTemplates[0]?.id);
  const [name, setName] = useState('');
  const [engines, setEngines] = useState(() => chosen ?? likelyEngines(agents, catalog));
  const { isBusy, error, run } = useAction();
  const template = agentTemplates.find(({ id }) => id === templateId);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (template === undefined) return;
    void run(async () => {
      onCreated(await session.client.agents.create(agentOf(template, name.trim() || template.name, engines)));
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <fieldset class="templates">
        <legend>{agentTexts.template}</legend>
        {agentTemplates.map(({ id, title, explanation }) => (
          <label key={id} class="choice-card">
            <input type="radio" name="template" checked={id === templateId} onChange={() => setTemplateId(id)} />
            <span>
              <strong>{title}</strong>
              <span class="help">{explanation}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span>{agentTexts.name}</span>
        <input
          maxLength={200}
          placeholder={template?.name}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      {chosen === undefined && <EngineFields engines={engines} catalog={catalog} onChange={setEngines} />}
      {error !== null && <ErrorNotice error={error} />}
      <div class="actions">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {agentTexts.submit}
        </Button>
      </div>
    </form>
  );
}
