import type { Agent } from '@va/client';
import type { JSX } from 'preact';
import { type Fields, valueAt } from '../../../data/paths.ts';
import { type Schema, schemaAt } from '../../../data/schema.ts';
import type { Session } from '../../../session/session.ts';
import { agentTexts } from '../../../texts/en/agents.ts';
import { Button } from '../../../ui/button.tsx';
import type { Form } from '../../../ui/form/form-state.ts';
import { SchemaField, SchemaFields } from '../../../ui/form/schema-field.tsx';
import { ToolsTab } from '../tools/tools-tab.tsx';
import { ModelTab } from './model-tab.tsx';
import { SpeechPresets } from './speech-presets.tsx';
import { type TabId, tabPaths } from './tabs.ts';
import { VoiceList } from './voice-list.tsx';
import { WebhookTest } from './webhook-test.tsx';

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

export function TabContent({ tab, ...props }: TabProps & { readonly tab: TabId }): JSX.Element {
  switch (tab) {
    case 'model':
      return <ModelTab {...props} />;
    case 'tools':
      return <ToolsTab {...props} />;
    case 'speech':
      return (
        <>
          <Block {...props} path="stt_config" />
          <SpeechPresets form={props.form} />
          <details>
            <summary>{agentTexts.advanced}</summary>
            <Fieldset {...props} path="speech_config" />
          </details>
        </>
      );
    case 'voice':
      return (
        <>
          <Block {...props} path="tts_config" />
          <VoiceList {...props} />
        </>
      );
    case 'analysis':
      return <Block {...props} path="analysis_plan" />;
    case 'webhooks':
      return (
        <>
          <PlainFields {...props} paths={tabPaths.webhooks} />
          <WebhookTest {...props} />
        </>
      );
    case 'limits':
      return (
        <>
          <PlainFields {...props} paths={tabPaths.limits.filter((path) => path !== 'budget')} />
          <Block {...props} path="budget" />
        </>
      );
    default:
      return <PlainFields {...props} paths={tabPaths[tab]} />;
  }
}

function PlainFields({ schema, form, paths }: TabProps & { readonly paths: readonly string[] }): JSX.Element {
  return (
    <>
      {paths.map((path) => {
        const field = schemaAt(schema, path);
        return field === null ? null : <SchemaField key={path} form={form} path={path} schema={field} />;
      })}
    </>
  );
}

function Fieldset({ schema, form, path }: TabProps & { readonly path: string }): JSX.Element | null {
  const field = schemaAt(schema, path);
  return field === null ? null : <SchemaFields form={form} path={path} schema={field} />;
}

/** A configuration that an agent has or has not. */
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
