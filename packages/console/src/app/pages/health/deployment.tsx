import type { Deployment } from '@va/client';
import type { JSX } from 'preact';
import { useRefresh } from '../../data/use-refresh.ts';
import { useResource } from '../../data/use-resource.ts';
import type { ConsoleSession } from '../../session/session.ts';
import { texts } from '../../texts/en.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { DataTable, type TableColumn } from '../../ui/list/data-table.tsx';
import { Loading } from '../../ui/loading.tsx';
import { formatCount, formatLatency } from '../../ui/values/format.ts';
import { RelativeTime } from '../../ui/values/relative-time.tsx';

type Node = Deployment['nodes'][number];
type Queue = Deployment['queues'][number];
type NodeProvider = Node['providers'][number];
type NodeRegistration = Node['registrations'][number];
type NodeEntry<T> = T & { readonly node: Node };

const words = texts.health;
const stateColours = { starting: 'warn', serving: 'good', draining: 'warn', lost: 'bad' } as const;
const registrationColours = { registered: 'good', registering: 'warn', failed: 'bad' } as const;

/** The operators' view: nodes with their providers and registrations, and the queues. */
export function DeploymentView({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { value, error, reload } = useResource('nodes', (signal) => session.client.nodes.list({ signal }));
  useRefresh(reload);
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {value === null && error === null && <Loading />}
      {value !== null && <Tables {...value} />}
    </>
  );
}

function Tables({ nodes, queues }: Deployment): JSX.Element {
  const providers = nodes.flatMap((node) => node.providers.map((each) => ({ ...each, node })));
  const registrations = nodes.flatMap((node) => node.registrations.map((each) => ({ ...each, node })));
  return (
    <>
      <h2>{words.nodes.title}</h2>
      <DataTable label={words.nodes.title} rows={nodes} columns={nodeColumns} keyOf={({ id }) => id} />
      <h2>{words.queues.title}</h2>
      <DataTable label={words.queues.title} rows={queues} columns={queueColumns} keyOf={({ name }) => name} />
      <h2>{words.providers.title}</h2>
      {providers.length === 0 && <p class="muted">{words.providers.none}</p>}
      {providers.length > 0 && (
        <DataTable
          label={words.providers.title}
          rows={providers}
          columns={withNode(providerColumns, nodes)}
          keyOf={({ node, kind, provider }) => `${node.id} ${kind} ${provider}`}
        />
      )}
      {registrations.length > 0 && (
        <>
          <h2>{words.registrations.title}</h2>
          <DataTable
            label={words.registrations.title}
            rows={registrations}
            columns={withNode(registrationColumns, nodes)}
            keyOf={({ node, registrar, account }) => `${node.id} ${registrar} ${account}`}
          />
        </>
      )}
    </>
  );
}

const nodeColumns: readonly TableColumn<Node>[] = [
  {
    title: words.nodes.name,
    cell: ({ name, is_answering }) => (
      <>
        {name} {is_answering && <span class="badge">{words.nodes.answering}</span>}
      </>
    ),
  },
  {
    title: words.nodes.state,
    cell: ({ state }) => <span class={`badge ${stateColours[state]}`}>{words.nodes.states[state]}</span>,
  },
  {
    title: words.nodes.calls,
    isNumber: true,
    cell: ({ calls, max_calls: max }) => `${formatCount(calls)} / ${max === null ? '–' : formatCount(max)}`,
  },
  { title: words.nodes.lag, isNumber: true, cell: ({ event_loop_lag_ms: ms }) => formatLatency(ms) },
  { title: words.nodes.version, cell: ({ version }) => version ?? '–' },
  { title: words.nodes.started, cell: ({ started_at: at }) => <RelativeTime at={at} /> },
  { title: words.nodes.lastSeen, cell: ({ last_seen_at: at }) => (at === null ? '–' : <RelativeTime at={at} />) },
];

const queueColumns: readonly TableColumn<Queue>[] = [
  { title: words.queues.name, cell: ({ name }) => name },
  {
    title: words.queues.waiting,
    isNumber: true,
    cell: ({ waiting }) => (waiting === null ? '–' : formatCount(waiting)),
  },
  {
    title: words.queues.oldest,
    isNumber: true,
    cell: ({ oldest_seconds: seconds }) => (seconds === null ? '–' : words.queues.age(seconds)),
  },
  { title: words.failures, isNumber: true, cell: ({ recent_failures: count }) => <Failures count={count} /> },
];

const providerColumns: readonly TableColumn<NodeEntry<NodeProvider>>[] = [
  { title: words.providers.provider, cell: ({ provider }) => provider },
  { title: words.providers.kind, cell: ({ kind }) => words.providers.kinds[kind] },
  { title: words.providers.state, cell: (provider) => <Circuits {...provider} /> },
  { title: words.failures, isNumber: true, cell: ({ recent_failures: count }) => <Failures count={count} /> },
  {
    title: words.providers.last,
    cell: ({ last_failure: last }) =>
      last === null ? (
        '–'
      ) : (
        <>
          {last.fault}, <RelativeTime at={last.at} />
        </>
      ),
  },
];

const registrationColumns: readonly TableColumn<NodeEntry<NodeRegistration>>[] = [
  { title: words.registrations.account, cell: ({ account }) => <span class="wrap">{account}</span> },
  { title: words.registrations.registrar, cell: ({ registrar }) => <span class="wrap">{registrar}</span> },
  {
    title: words.registrations.state,
    cell: ({ state, since }) => (
      <>
        <span class={`badge ${registrationColours[state]}`}>{words.registrations.states[state]}</span>{' '}
        <RelativeTime at={since} />
      </>
    ),
  },
  { title: words.registrations.reason, cell: ({ reason }) => <span class="wrap">{reason ?? '–'}</span> },
];

/** Adds the node's name to each row if there are several nodes. */
function withNode<T>(
  columns: readonly TableColumn<NodeEntry<T>>[],
  nodes: readonly Node[],
): readonly TableColumn<NodeEntry<T>>[] {
  if (nodes.length < 2) return columns;
  return [...columns, { title: words.nodes.name, cell: ({ node }) => <span class="wrap">{node.name}</span> }];
}

function Failures({ count }: { readonly count: number }): JSX.Element {
  return <span class={count > 0 ? 'badge warn' : undefined}>{formatCount(count)}</span>;
}

function Circuits({ circuits, open_circuits: open }: NodeProvider): JSX.Element {
  if (circuits === 0) return <span class="badge">{words.providers.unused}</span>;
  return (
    <span class={`badge ${open === 0 ? 'good' : 'bad'}`}>
      {open === 0 ? words.providers.closed : words.providers.open(open, circuits)}
    </span>
  );
}
