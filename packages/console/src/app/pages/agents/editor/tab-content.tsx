import type { JSX } from 'preact';
import { schemaAt } from '../../../data/schema.ts';
import { agentTexts } from '../../../texts/en/agents.ts';
import { SchemaField, SchemaFields } from '../../../ui/form/schema-field.tsx';
import type { TabProps } from '../tab-props.ts';
import { ToolsTab } from '../tools/tools-tab.tsx';
import { Block } from './block.tsx';
import { ModelTab } from './model-tab.tsx';
import { SpeechPresets } from './speech-presets.tsx';
import { type TabId, tabPaths } from './tabs.ts';
import { VoiceTab } from './voice/voice-tab.tsx';
import { WebhookTest } from './webhook-test.tsx';

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
      return <VoiceTab {...props} />;
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
