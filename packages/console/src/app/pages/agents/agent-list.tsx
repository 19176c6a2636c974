import type { Agent, ByokProvider } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { withoutRow } from '../../data/rows.ts';
import { useResource } from '../../data/use-resource.ts';
import { hrefOf } from '../../router/fragment.ts';
import { navigate, route } from '../../router/route.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { agentTexts } from '../../texts/en/agents.ts';
import { startTexts } from '../../texts/en/start.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog/confirm.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { DataTable, type TableColumn } from '../../ui/list/data-table.tsx';
import { EmptyState } from '../../ui/list/empty-state.tsx';
import { SearchBox } from '../../ui/list/search-box.tsx';
import { Loading } from '../../ui/loading.tsx';
import { attempt } from '../../ui/notice/toast.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { formatTime } from '../../ui/values/format.ts';
import { copyOf } from './create/agent-of.ts';
import { NewAgentForm } from './create/new-agent.tsx';
import { hasDraft } from './drafts.ts';

/** All agents, with a search by name and business name. */
export function AgentList({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { q = '' } = route.value.query;
  const { value, error, reload, change } = useResource('agents', () => loadAgents(session));
  const remove = async ({ id, name }: Agent): Promise<void> => {
    const without = ({ agents, catalog }: AgentsAndCatalog): AgentsAndCatalog => ({
      ...{ catalog, agents: withoutRow<Agent>(id)(agents) },
    });
    await attempt(() => change(without, () => session.client.agents.delete(id)), agentTexts.removed(name));
  };
  const [isCreating, setCreating] = useState(false);
  const canWrite = can(session.scopes, 'agents:write');
  const words = q.toLowerCase().trim();
  const found = value?.agents.filter(({ name, business_name: business }) =>
    `${name} ${business ?? ''}`.toLowerCase().includes(words),
  );
  const create = canWrite && (
    <Button kind="primary" shortcut="n" onClick={() => setCreating(true)}>
      {agentTexts.create}
    </Button>
  );
  return (
    <section class="page">
      <header class="page-head">
        <PageTitle title={agentTexts.title} />
        <div class="actions">
          <SearchBox label={agentTexts.search} value={q} />
          {create}
        </div>
      </header>
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {value === null && error === null && <Loading />}
      {value?.agents.length === 0 && (
        <EmptyState title={agentTexts.none}>
          <p>{agentTexts.noneExplanation}</p>
          {canWrite && (
            <a class="button primary" href={hrefOf(['agents', 'start'])}>
              {startTexts.link}
            </a>
          )}
        </EmptyState>
      )}
      {value !== null && value.agents.length > 0 && found?.length === 0 && <EmptyState title={agentTexts.noneFound} />}
      {found !== undefined && found.length > 0 && (
        <DataTable
          label={agentTexts.title}
          rows={found}
          keyOf={({ id }) => id}
          columns={columnsOf(session, canWrite ? { reload, remove } : null)}
        />
      )}
      {isCreating && value !== null && (
        <Dialog title={agentTexts.createTitle} isWide onClose={() => setCreating(false)}>
          <NewAgentForm session={session} {...value} onCreated={({ id }) => navigate(['agents', id])} />
        </Dialog>
      )}
    </section>
  );
}

interface AgentsAndCatalog {
  readonly agents: readonly Agent[];
  readonly catalog: readonly ByokProvider[];
}

/** Loads all agents, and the provider catalog, which is empty without the scope to read it. */
async function loadAgents({ client, scopes }: ConsoleSession): Promise<AgentsAndCatalog> {
  const catalog = can(scopes, 'byok:read') ? client.byok.config() : [];
  return { agents: await client.agents.list(), catalog: await catalog };
}

interface AgentActions {
  readonly reload: () => void;
  readonly remove: (agent: Agent) => Promise<void>;
}

/** @param actions null if the session may not change agents */
function columnsOf(session: ConsoleSession, actions: AgentActions | null): readonly TableColumn<Agent>[] {
  const { columns } = agentTexts;
  const shown: readonly TableColumn<Agent>[] = [
    {
      title: columns.name,
      cell: (agent) => (
        <>
          <a href={hrefOf(['agents', agent.id])}>{agent.name}</a>
          {hasDraft(session, agent) && <span class="badge warn">{agentTexts.unsaved}</span>}
        </>
      ),
    },
    { title: columns.model, cell: ({ llm_config: llm }) => llm?.model ?? llm?.provider ?? '–' },
    { title: columns.voice, cell: ({ tts_config: tts, llm_config: llm }) => tts?.voiceId ?? llm?.voice ?? '–' },
    { title: columns.status, cell: (agent) => <AgentStatus agent={agent} /> },
    { title: columns.changed, cell: (agent) => formatTime(agent.updated_at) },
  ];
  if (actions === null) return shown;
  return [...shown, { title: columns.actions, cell: (agent) => <AgentActions {...{ session, agent, ...actions }} /> }];
}

function AgentStatus({ agent }: { readonly agent: Agent }): JSX.Element {
  if (!agent.is_active) return <span class="badge">{agentTexts.inactive}</span>;
  if (agent.llm_config === null) return <span class="badge warn">{agentTexts.incomplete}</span>;
  return <span class="badge good">{agentTexts.active}</span>;
}

function AgentActions(props: AgentActions & { readonly session: ConsoleSession; readonly agent: Agent }): JSX.Element {
  const { session, agent, reload } = props;
  const { agents } = session.client;
  const duplicate = async (): Promise<void> => {
    const copy = copyOf(agent);
    if (await attempt(() => agents.create(copy), agentTexts.duplicated(copy.name))) reload();
  };
  const remove = async (): Promise<void> => {
    const { name } = agent;
    const question = { title: agentTexts.removeTitle(name), text: agentTexts.removeText, action: agentTexts.remove };
    if (!(await confirm(question))) return;
    await props.remove(agent);
  };
  return (
    <div class="row-actions">
      <button class="button quiet" type="button" onClick={() => void duplicate()}>
        {agentTexts.duplicate}
      </button>
      <button class="button quiet danger" type="button" onClick={() => void remove()}>
        {agentTexts.remove}
      </button>
    </div>
  );
}
