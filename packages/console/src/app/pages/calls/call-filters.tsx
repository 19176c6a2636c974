import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useResource } from '../../data/use-resource.ts';
import { setQuery } from '../../router/route.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { texts } from '../../texts/en.ts';
import { Button } from '../../ui/button.tsx';
import { type CallFilter, type FilterName, filterNames } from './call-query.ts';

type FilterOption = readonly [value: string, text: string];

/** The filters of the list, stored in the URL. */
export function CallFilters({
  session,
  filter,
}: {
  readonly session: ConsoleSession;
  readonly filter: CallFilter;
}): JSX.Element {
  const { filters, statuses, directions, endReasons } = texts.calls;
  const { value: choices } = useResource('choices of filters', () => loadChoices(session));
  const isFiltered = filterNames.some((name) => name !== 'q' && filter[name] !== undefined);
  return (
    <fieldset class="call-filters">
      <legend class="visually-hidden">{filters.label}</legend>
      <Select name="status" label={filters.status} choices={Object.entries(statuses)} filter={filter} />
      <Select name="agent_id" label={filters.agent} choices={choices?.agents ?? []} filter={filter} />
      <Select name="number_id" label={filters.number} choices={choices?.numbers ?? []} filter={filter} />
      <Select name="campaign_id" label={filters.campaign} choices={choices?.campaigns ?? []} filter={filter} />
      <Select name="direction" label={filters.direction} choices={Object.entries(directions)} filter={filter} />
      <Select name="end_reason" label={filters.endReason} choices={Object.entries(endReasons)} filter={filter} />
      <Field name="phone" label={filters.phone} type="tel" filter={filter} />
      <Field name="from" label={filters.from} type="date" filter={filter} />
      <Field name="to" label={filters.to} type="date" filter={filter} />
      {isFiltered && (
        <Button kind="quiet" onClick={() => setQuery(Object.fromEntries(filterNames.map((name) => [name, null])))}>
          {filters.clear}
        </Button>
      )}
    </fieldset>
  );
}

interface FilterFieldProps {
  readonly name: FilterName;
  readonly label: string;
  readonly filter: CallFilter;
}

function Select({
  name,
  label,
  choices,
  filter,
}: FilterFieldProps & { readonly choices: readonly FilterOption[] }): JSX.Element {
  const chosen = filter[name] ?? '';
  const isListed = chosen === '' || choices.some(([value]) => value === chosen);
  return (
    <label>
      {label}
      <select value={chosen} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
        <option value="">{texts.calls.filters.any}</option>
        {!isListed && <option value={chosen}>{chosen}</option>}
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Applies the filter on blur or Enter. */
function Field({ name, label, type, filter }: FilterFieldProps & { readonly type: 'tel' | 'date' }): JSX.Element {
  const given = filter[name] ?? '';
  const [typed, setTyped] = useState(given);
  useEffect(() => setTyped(given), [given]);
  const own = {
    value: typed,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => setTyped(event.currentTarget.value),
    onChange: (event: { readonly currentTarget: HTMLInputElement }) =>
      setQuery({ [name]: event.currentTarget.value.trim() }),
  };
  return (
    <label for={name}>
      {label}
      {type === 'date' ? <input id={name} type="date" {...own} /> : <input id={name} type="tel" {...own} />}
    </label>
  );
}

interface Choices {
  readonly agents: readonly FilterOption[];
  readonly numbers: readonly FilterOption[];
  readonly campaigns: readonly FilterOption[];
}

/** Loads the options of the filters that the session's scopes permit. */
async function loadChoices({ client, scopes }: ConsoleSession): Promise<Choices> {
  const allowed = async <T,>(scope: string, load: () => Promise<readonly T[]>): Promise<readonly T[]> =>
    can(scopes, scope) ? await load() : [];
  const [agents, numbers, campaigns] = await Promise.all([
    allowed('agents:read', () => client.agents.list({ limit: 1_000 })),
    allowed('numbers:read', () => client.numbers.list({ limit: 1_000 })),
    allowed('campaigns:read', () => client.campaigns.list({ limit: 1_000 })),
  ]);
  return {
    agents: agents.map(({ id, name }) => [id, name] as const),
    numbers: numbers.map(({ id, phone_number }) => [id, phone_number] as const),
    campaigns: campaigns.map(({ id, name }) => [id, name] as const),
  };
}
