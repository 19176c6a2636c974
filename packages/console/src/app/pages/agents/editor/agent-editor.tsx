import type { Agent } from '@va/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadSchema } from '../../../api/openapi.ts';
import { changedFields } from '../../../data/paths.ts';
import type { FormSchema } from '../../../data/schema.ts';
import { useAction } from '../../../data/use-action.ts';
import { useResource } from '../../../data/use-resource.ts';
import { hrefOf } from '../../../router/fragment.ts';
import { type ConsoleSession, can } from '../../../session/session.ts';
import { agentFields } from '../../../texts/en/agent-fields.ts';
import { agentTexts } from '../../../texts/en/agents.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { useForm } from '../../../ui/form/form-state.ts';
import { Loading } from '../../../ui/loading.tsx';
import { notify } from '../../../ui/notice/toast.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { draftsOf, fieldsOf } from '../drafts.ts';
import { TalkPanel } from '../talk/talk-panel.tsx';
import { TabContent } from './tab-content.tsx';
import { isChanged, isFaulty, isTabId, tabIds } from './tabs.ts';

export interface AgentEditorProps {
  readonly session: ConsoleSession;
  readonly id: string;
  readonly tab: string | undefined;
}

/** Loads an agent and the schema of its form. */
export function AgentEditor({ session, id, tab }: AgentEditorProps): JSX.Element {
  const { value, error, reload } = useResource(`agent ${id}`, async (signal) => ({
    agent: await session.client.agents.get(id, { signal }),
    schema: await loadSchema('AgentChanges'),
  }));
  if (value === null) {
    return (
      <section class="page">
        <BackLink to={['agents']}>{agentTexts.back}</BackLink>
        <PageTitle title={agentTexts.agent} />
        {error === null ? <Loading /> : <ErrorNotice error={error} onRetry={reload} />}
      </section>
    );
  }
  return <LoadedEditor session={session} tab={tab} {...value} />;
}

function LoadedEditor(props: {
  readonly session: ConsoleSession;
  readonly tab: string | undefined;
  readonly agent: Agent;
  readonly schema: FormSchema;
}): JSX.Element {
  const { session, schema } = props;
  const tab = isTabId(props.tab) ? props.tab : 'identity';
  const canWrite = can(session.scopes, 'agents:write');
  const drafts = draftsOf(session);
  const [agent, setAgent] = useState(props.agent);
  const { isBusy, error, run, clearError } = useAction();
  const saved = fieldsOf(agent);
  const form = useForm({ initial: drafts.get(agent.id) ?? saved, texts: agentFields, isDisabled: !canWrite });
  const changes = changedFields(saved, form.values);
  const isDirty = Object.keys(changes).length > 0;
  useEffect(() => {
    if (isDirty) drafts.set(agent.id, form.values);
    else drafts.delete(agent.id);
  }, [form.values, agent]);
  useEffect(() => (isDirty ? warnBeforeUnload() : undefined), [isDirty]);
  const adopt = (next: Agent): void => {
    setAgent(next);
    clearError();
  };
  const save = (): Promise<void> =>
    run(async () => {
      const next = await session.client.agents.update(agent.id, changes);
      adopt(next);
      form.replace(fieldsOf(next));
      notify(agentTexts.saved);
    }, form.setErrors);
  const discard = (): void => {
    form.replace(saved);
    clearError();
  };
  return (
    <section class="page editor">
      <header class="page-head">
        <div>
          <BackLink to={['agents']}>{agentTexts.back}</BackLink>
          <PageTitle title={agent.name} />
        </div>
        <div class="actions">
          {isDirty && <span class="badge warn">{agentTexts.unsaved}</span>}
          {canWrite && (
            <>
              <Button isDisabled={!isDirty || isBusy} onClick={discard}>
                {agentTexts.discard}
              </Button>
              <Button kind="primary" isDisabled={!isDirty} isBusy={isBusy} onClick={() => void save()}>
                {agentTexts.save}
              </Button>
            </>
          )}
        </div>
      </header>
      {!canWrite && <p class="notice warn">{agentTexts.readOnly}</p>}
      {error !== null && <ErrorNotice error={error} />}
      <Tabs
        label={agentTexts.tabsLabel}
        current={tab}
        tabs={tabIds.map((each) => ({
          id: each,
          title: agentTexts.tabs[each],
          href: hrefOf(['agents', agent.id, each]),
          mark: isFaulty(each, form.errors) ? 'faulty' : isChanged(each, saved, form.values) ? 'changed' : undefined,
        }))}
      />
      <div class="editor-columns">
        <div class="card form">
          <TabContent key={tab} {...{ tab, session, agent, schema, form, changes }} onAgent={adopt} />
        </div>
        <TalkPanel session={session} agentId={agent.id} hasChanges={isDirty} />
      </div>
    </section>
  );
}

/** Makes the browser confirm a reload or closed tab that would lose unsaved changes. */
function warnBeforeUnload(): () => void {
  const listener = (event: BeforeUnloadEvent): void => event.preventDefault();
  addEventListener('beforeunload', listener);
  return () => removeEventListener('beforeunload', listener);
}
