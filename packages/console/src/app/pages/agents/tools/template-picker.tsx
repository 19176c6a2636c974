import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../../data/use-resource.ts';
import { toolTexts } from '../../../texts/en/agents.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { attempt } from '../../../ui/notice/toast.tsx';
import type { TabProps } from '../tab-props.ts';
import { toolsIn } from './tool.ts';

/**
 * Adds a tool from a template. The service copies the template, because its secret is write-only. The tool is saved at
 * once; other unsaved changes stay.
 */
export function TemplatePicker({ session, agent, form, onAgent }: TabProps): JSX.Element | null {
  const { value, error } = useResource('tool templates', () => session.client.toolTemplates.list());
  const [busyId, setBusyId] = useState<string | null>(null);
  const add = async (templateId: string): Promise<void> => {
    setBusyId(templateId);
    await attempt(async () => {
      const next = await session.client.agents.addTool(agent.id, { tool_template_id: templateId });
      const added = toolsIn({ ...next }).at(-1);
      onAgent(next);
      if (added !== undefined) form.set('llm_config.tools', [...toolsIn(form.values), added]);
    }, toolTexts.added);
    setBusyId(null);
  };
  if (error !== null) return <ErrorNotice error={error} />;
  if (value === null) return null;
  return (
    <fieldset class="choices">
      <legend>{toolTexts.fromTemplate}</legend>
      {value.length === 0 && <p class="help">{toolTexts.noTemplates}</p>}
      <div class="actions">
        {value.map(({ id, name, description }) => (
          <Button key={id} isBusy={busyId === id} onClick={() => void add(id)}>
            <span title={description ?? undefined}>{name}</span>
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
