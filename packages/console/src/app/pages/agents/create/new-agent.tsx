import type { Agent, ByokProvider } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../../../session/session.ts';
import { agentTemplates } from '../../../texts/en/agent-templates.ts';
import { agentTexts } from '../../../texts/en/agents.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { agentOf } from './agent-of.ts';
import { EngineFields, likelyEngines } from './engines.tsx';

export interface NewAgentFormProps {
  readonly session: Session;
  readonly agents: readonly Agent[];
  readonly catalog: readonly ByokProvider[];
  readonly onCreated: (agent: Agent) => void;
}

/** Creates an agent from a template. */
export function NewAgentForm({ session, agents, catalog, onCreated }: NewAgentFormProps): JSX.Element {
  const [templateId, setTemplateId] = useState(agentTemplates[0]?.id);
  const [name, setName] = useState('');
  const [engines, setEngines] = useState(() => likelyEngines(agents, catalog));
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const template = agentTemplates.find(({ id }) => id === templateId);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (template === undefined) return;
    setBusy(true);
    setError(null);
    try {
      onCreated(await session.client.agents.create(agentOf(template, name.trim() || template.name, engines)));
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
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
      <EngineFields engines={engines} catalog={catalog} onChange={setEngines} />
      {error !== null && <ErrorNotice error={error} />}
      <div class="actions">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {agentTexts.submit}
        </Button>
      </div>
    </form>
  );
}
