import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../data/use-action.ts';
import { useResource } from '../../data/use-resource.ts';
import { hrefOf } from '../../router/fragment.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { numberTexts } from '../../texts/en/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import type { FieldChoice } from '../../ui/form/form-state.ts';
import { Loading } from '../../ui/loading.tsx';
import { agentChoices, numberChoices } from './references.ts';

/** Places a test call from an agent to the user. */
export function TestCall({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { test: words } = numberTexts;
  const isAllowed = can(session.scopes, 'calls:write');
  const { value, error } = useResource('test call', async () => ({
    agents: await agentChoices(session),
    numbers: await numberChoices(session),
  }));
  if (!isAllowed) return <p class="notice warn">{words.missing}</p>;
  if (error !== null) return <ErrorNotice error={error} />;
  if (value === null) return <Loading />;
  return <TestCallForm session={session} {...value} />;
}

function TestCallForm(props: {
  readonly session: ConsoleSession;
  readonly agents: readonly FieldChoice[];
  readonly numbers: readonly FieldChoice[];
}): JSX.Element {
  const { session, agents, numbers } = props;
  const { test: words } = numberTexts;
  const [destination, setDestination] = useState('');
  const [agentId, setAgentId] = useState(agents[0]?.value ?? '');
  const [numberId, setNumberId] = useState('');
  const { isBusy, error, run } = useAction();
  const [callId, setCallId] = useState<string | null>(null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setCallId(null);
    void run(async () => {
      const number = numberId === '' ? {} : { number_id: numberId };
      const placed = await session.client.calls.place({
        destination: destination.trim(),
        agent_id: agentId,
        ...number,
      });
      setCallId(placed.call_id);
    });
  };
  return (
    <form class="card form narrow" onSubmit={submit}>
      <p class="muted">{words.explanation}</p>
      <label class="field">
        <span>{words.destination}</span>
        <input
          required
          autocomplete="tel"
          value={destination}
          onInput={(event) => setDestination(event.currentTarget.value)}
        />
        <span class="help">{words.hint}</span>
      </label>
      <label class="field">
        <span>{words.agent}</span>
        <select required value={agentId} onChange={(event) => setAgentId(event.currentTarget.value)}>
          <Options of={agents} />
        </select>
      </label>
      <label class="field">
        <span>{words.from}</span>
        <select value={numberId} onChange={(event) => setNumberId(event.currentTarget.value)}>
          <option value="">{words.anyNumber}</option>
          <Options of={numbers} />
        </select>
      </label>
      {error !== null && <ErrorNotice error={error} />}
      {callId !== null && (
        <p class="notice good" role="status">
          {words.started} <a href={hrefOf(['calls', callId])}>{words.open}</a>
        </p>
      )}
      <div class="actions">
        <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={agentId === '' || destination.trim() === ''}>
          {words.start}
        </Button>
      </div>
    </form>
  );
}

function Options({ of }: { readonly of: readonly FieldChoice[] }): JSX.Element {
  return (
    <>
      {of.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </>
  );
}
