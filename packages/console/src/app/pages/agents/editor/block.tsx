import type { JSX } from 'preact';
import { valueAt } from '../../../data/paths.ts';
import { schemaAt } from '../../../data/schema.ts';
import { agentTexts } from '../../../texts/en/agents.ts';
import { Button } from '../../../ui/button.tsx';
import { SchemaFields } from '../../../ui/form/schema-field.tsx';
import type { TabProps } from '../tab-props.ts';

/** An optional configuration object of an agent, with a switch to add or remove it. */
export function Block(props: TabProps & { readonly path: string; readonly without?: readonly string[] }): JSX.Element {
  const { schema, form, path, without } = props;
  const field = schemaAt(schema, path);
  const label = form.texts[path]?.label;
  const isSet = (valueAt(form.values, path) ?? null) !== null;
  return (
    <>
      {label !== undefined && <h2>{label}</h2>}
      {!isSet && <p class="muted">{agentTexts.notSet}</p>}
      {isSet && field !== null && <SchemaFields form={form} path={path} schema={field} {...(without && { without })} />}
      {!form.isDisabled && (
        <div class="actions">
          {isSet ? (
            <Button kind="danger" onClick={() => form.set(path, null)}>
              {agentTexts.clear}
            </Button>
          ) : (
            <Button onClick={() => form.set(path, {})}>{agentTexts.setUp}</Button>
          )}
        </div>
      )}
    </>
  );
}
