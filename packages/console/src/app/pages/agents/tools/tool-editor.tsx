import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../data/paths.ts';
import { isFields, valueAt } from '../../../data/paths.ts';
import type { FormSchema } from '../../../data/schema.ts';
import { toolTexts } from '../../../texts/en/agents.ts';
import { toolFields } from '../../../texts/en/tool-fields.ts';
import { texts } from '../../../texts/en.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useForm } from '../../../ui/form/form-state.ts';
import { JsonField } from '../../../ui/form/json-field.tsx';
import { SchemaFields } from '../../../ui/form/schema-field.tsx';
import { nameOf, requestOf } from './tool.ts';

export interface ToolEditorProps {
  readonly tool: JsonObject;
  /** Null for a tool that the form cannot represent, which is edited as JSON only. */
  readonly schema: FormSchema | null;
  readonly isDisabled: boolean;
  readonly onApply: (tool: JsonObject) => void;
  readonly onClose: () => void;
}

/** Edits a tool with a form or as JSON. */
export function ToolEditor({ tool, schema, isDisabled, onApply, onClose }: ToolEditorProps): JSX.Element {
  const [isJson, setJson] = useState(schema === null);
  const form = useForm({ initial: { tool }, texts: toolFields, isDisabled });
  const edited = valueAt(form.values, 'tool');
  const current = isFields(edited) ? edited : tool;
  return (
    <Dialog title={toolTexts.editTitle(nameOf(tool))} isWide onClose={onClose}>
      <div class="actions">
        {schema !== null && (
          <Button kind={isJson ? 'plain' : 'primary'} onClick={() => setJson(false)}>
            {toolTexts.form}
          </Button>
        )}
        <Button kind={isJson ? 'primary' : 'plain'} onClick={() => setJson(true)}>
          {toolTexts.json}
        </Button>
      </div>
      <div class="form">
        {isJson || schema === null ? (
          <JsonField form={form} path="tool" />
        ) : (
          <SchemaFields form={form} path="tool" schema={schema} />
        )}
        {current.type === 'function' && (
          <details>
            <summary>{toolTexts.request}</summary>
            <pre>{requestOf(current)}</pre>
          </details>
        )}
      </div>
      <footer class="actions">
        <Button onClick={onClose}>{texts.dialog.cancel}</Button>
        <Button kind="primary" isDisabled={isDisabled || !isFields(edited)} onClick={() => onApply(current)}>
          {toolTexts.apply}
        </Button>
      </footer>
    </Dialog>
  );
}
