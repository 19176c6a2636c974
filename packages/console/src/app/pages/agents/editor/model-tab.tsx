import type { JSX } from 'preact';
import { isFields, valueAt } from '../../../data/paths.ts';
import { schemaAt } from '../../../data/schema.ts';
import { agentTexts } from '../../../texts/en/agents.ts';
import { CodeEditor } from '../../../ui/editor/code-editor.tsx';
import { variablesOf } from '../../../ui/editor/variables.ts';
import { type FormState, stringAt } from '../../../ui/form/form-state.ts';
import { SchemaField, SchemaFields } from '../../../ui/form/schema-field.tsx';
import type { TabProps } from '../tab-props.ts';

const path = 'llm_config';
const always = ['provider', 'model', 'temperature'];

export function ModelTab({ schema, form }: TabProps): JSX.Element {
  const fields = schemaAt(schema, path);
  return (
    <>
      <div class="columns">
        {always.map((name) => {
          const field = schemaAt(schema, `${path}.${name}`);
          return field === null ? null : <SchemaField key={name} form={form} path={`${path}.${name}`} schema={field} />;
        })}
      </div>
      <Prompt form={form} />
      <details>
        <summary>{agentTexts.advanced}</summary>
        {fields !== null && <SchemaFields form={form} path={path} schema={fields} without={[...always, 'tools']} />}
      </details>
    </>
  );
}

/** Edits the first message with the role `system`. */
function Prompt({ form }: { readonly form: FormState }): JSX.Element {
  const value = valueAt(form.values, `${path}.messages`);
  const messages: readonly unknown[] = Array.isArray(value) ? value : [];
  const at = messages.findIndex((each) => isFields(each) && each.role === 'system');
  const prompt = stringAt(form, `${path}.messages.${at}.content`);
  const set = (content: string): void => {
    const message = { role: 'system', content };
    if (at >= 0) form.set(`${path}.messages`, messages.with(at, message));
    else if (content !== '') form.set(`${path}.messages`, [message, ...messages]);
  };
  const used = variablesOf(prompt, stringAt(form, 'first_message'), stringAt(form, 'voicemail_message'));
  const error = form.errors.get(`${path}.messages.${at}.content`);
  return (
    <div class="field">
      <div class="field-label">{agentTexts.prompt}</div>
      <CodeEditor
        label={agentTexts.prompt}
        language="prompt"
        value={prompt}
        isDisabled={form.isDisabled}
        onChange={set}
      />
      <p class="help">{agentTexts.promptHelp}</p>
      {error !== undefined && <p class="fault">{error}</p>}
      <p class="variables">
        <span>{used.length === 0 ? agentTexts.noVariables : agentTexts.variables}</span>
        {used.map((name) => (
          <code key={name}>{name}</code>
        ))}
      </p>
    </div>
  );
}
