import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../data/paths.ts';
import { can } from '../../../session/session.ts';
import { toolTexts } from '../../../texts/en/agents.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/list/data-table.tsx';
import type { TabProps } from '../tab-props.ts';
import { TemplatePicker } from './template-picker.tsx';
import {
  canBeTried,
  exampleArguments,
  nameOf,
  newTool,
  placeOf,
  toolSchemas,
  toolsIn,
  toolTypes,
  typeOf,
} from './tool.ts';
import { ToolEditor } from './tool-editor.tsx';
import { ToolTrial } from './tool-trial.tsx';

const path = 'llm_config.tools';

/** The tools of the agent. */
export function ToolsTab(props: TabProps): JSX.Element {
  const { session, agent, schema, form, changes } = props;
  const [edited, setEdited] = useState<{ readonly tool: JsonObject; readonly at: number } | null>(null);
  const [tried, setTried] = useState<JsonObject | null>(null);
  const isUnsaved = 'llm_config' in changes;
  const tools = toolsIn(form.values);
  const schemas = toolSchemas(schema);
  const apply = (tool: JsonObject): void => {
    if (edited === null) return;
    form.set(path, edited.at < tools.length ? tools.with(edited.at, tool) : [...tools, tool]);
    setEdited(null);
  };
  const faultOf = (at: number): string | undefined =>
    [...form.errors].find(([key]) => key.startsWith(`${path}.${at}`))?.[1];
  const rows = tools.map((tool, at) => ({ tool, at }));
  const { columns } = toolTexts;
  return (
    <>
      {rows.length === 0 ? (
        <p class="muted">{toolTexts.none}</p>
      ) : (
        <DataTable
          label={toolTexts.add}
          rows={rows}
          keyOf={({ at }) => String(at)}
          columns={[
            {
              title: columns.name,
              cell: ({ tool, at }) => (
                <>
                  <button class="link" type="button" onClick={() => setEdited({ tool, at })}>
                    {nameOf(tool)}
                  </button>
                  {faultOf(at) !== undefined && <p class="fault">{faultOf(at)}</p>}
                </>
              ),
            },
            { title: columns.type, cell: ({ tool }) => typeOf(tool) },
            { title: columns.where, cell: ({ tool }) => placeOf(tool) },
            {
              title: columns.actions,
              cell: ({ tool, at }) =>
                !form.isDisabled && (
                  <div class="row-actions">
                    {canBeTried(tool) && (
                      <Button
                        isDisabled={isUnsaved}
                        {...(isUnsaved && { title: toolTexts.trial.unsaved })}
                        onClick={() => setTried(tool)}
                      >
                        {toolTexts.trial.open}
                      </Button>
                    )}
                    <Button
                      kind="danger"
                      onClick={() =>
                        form.set(
                          path,
                          tools.filter((_tool, other) => other !== at),
                        )
                      }
                    >
                      {toolTexts.remove}
                    </Button>
                  </div>
                ),
            },
          ]}
        />
      )}
      {!form.isDisabled && (
        <fieldset class="choices">
          <legend>{toolTexts.add}</legend>
          <div class="actions">
            {toolTypes.map((type) => (
              <Button key={type} onClick={() => setEdited({ tool: newTool(type), at: tools.length })}>
                {toolTexts.types[type]}
              </Button>
            ))}
          </div>
        </fieldset>
      )}
      {!form.isDisabled && can(session.scopes, 'tool-templates:read') && <TemplatePicker {...props} />}
      {tried !== null && (
        <ToolTrial
          session={session}
          agentId={agent.id}
          name={tried.type === 'mcp' ? null : nameOf(tried)}
          example={JSON.stringify(exampleArguments(tried), null, 2)}
          onClose={() => setTried(null)}
        />
      )}
      {edited !== null && (
        <ToolEditor
          tool={edited.tool}
          schema={schemas.get(String(edited.tool.type)) ?? null}
          isDisabled={form.isDisabled}
          onApply={apply}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
