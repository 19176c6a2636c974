import type { NewPhoneNumber, PhoneNumber, PhoneNumberChanges } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { loadSchema } from '../../api/openapi.ts';
import { changedFields, type JsonObject } from '../../data/paths.ts';
import { withFields, withoutRow } from '../../data/rows.ts';
import type { FormSchema } from '../../data/schema.ts';
import { useResource } from '../../data/use-resource.ts';
import { hrefOf } from '../../router/fragment.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { numberFields, numberTexts } from '../../texts/en/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog/confirm.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import type { FormState } from '../../ui/form/form-state.ts';
import { Switch } from '../../ui/form/switch.tsx';
import type { TableColumn } from '../../ui/list/data-table.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { attempt } from '../../ui/notice/toast.tsx';
import { agentChoices, trunkChoices } from './references.ts';

interface OpenedNumber {
  /** Null for a new number. */
  readonly number: PhoneNumber | null;
  readonly schema: FormSchema;
  readonly choices: FormState['choices'];
}

/** The phone numbers, with the agents that answer them. */
export function Numbers({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { client } = session;
  const numbers = useResource('numbers', () => client.numbers.list());
  const [opened, setOpened] = useState<OpenedNumber | null>(null);
  const canWrite = can(session.scopes, 'numbers:write');
  const open = (number: PhoneNumber | null): void =>
    void attempt(async () => {
      const schema = await loadSchema(number === null ? 'NewPhoneNumber' : 'PhoneNumberChanges');
      const choices = { agent_id: await agentChoices(session), transfer_trunk_id: await trunkChoices(session) };
      setOpened({ number, schema, choices });
    });
  const submit = async (values: JsonObject): Promise<void> => {
    const number = opened?.number ?? null;
    // The service validates the values.
    if (number === null) await client.numbers.register(values as unknown as NewPhoneNumber);
    else await client.numbers.update(number.id, changedFields(editable(number), values) as PhoneNumberChanges);
    setOpened(null);
    numbers.reload();
  };
  const remove = async ({ id, number }: PhoneNumber): Promise<void> => {
    const question = { title: numberTexts.removeTitle(number), text: numberTexts.removeNumber };
    if (!(await confirm({ ...question, action: numberTexts.remove }))) return;
    await attempt(() => numbers.change(withoutRow(id), () => client.numbers.delete(id)), numberTexts.removed);
  };
  const activate = async ({ id }: PhoneNumber, is_active: boolean): Promise<void> => {
    const change = withFields<PhoneNumber>(id, { is_active });
    await attempt(() => numbers.change(change, () => client.numbers.update(id, { is_active })));
  };
  return (
    <>
      {canWrite && (
        <div class="actions">
          <Button kind="primary" shortcut="n" onClick={() => open(null)}>
            {numberTexts.register}
          </Button>
        </div>
      )}
      <ListView
        label={numberTexts.tabs.numbers}
        resource={numbers}
        keyOf={({ id }) => id}
        none={numberTexts.none}
        noneExplanation={numberTexts.noneExplanation}
        columns={columnsOf(canWrite ? { open, remove, activate } : null)}
      />
      {opened !== null && (
        <FormDialog
          title={opened.number?.number ?? numberTexts.register}
          schema={opened.schema}
          initial={opened.number === null ? { is_active: true } : editable(opened.number)}
          texts={numberFields}
          choices={opened.choices}
          action={numberTexts.save}
          onSubmit={submit}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

function editable({ name, agent_id, transfer_trunk_id, is_active }: PhoneNumber): JsonObject {
  return { name, agent_id, transfer_trunk_id, is_active };
}

interface NumberActions {
  readonly open: (number: PhoneNumber) => void;
  readonly remove: (number: PhoneNumber) => Promise<void>;
  readonly activate: (number: PhoneNumber, isActive: boolean) => Promise<void>;
}

function columnsOf(actions: NumberActions | null): readonly TableColumn<PhoneNumber>[] {
  const { columns: words } = numberTexts;
  const columns: TableColumn<PhoneNumber>[] = [
    { title: words.number, cell: ({ number }) => number },
    { title: words.name, cell: ({ name }) => name ?? '–' },
    {
      title: words.agent,
      cell: ({ agent_id: id, agent_name: name }) =>
        id === null ? numberTexts.noAgent : <a href={hrefOf(['agents', id])}>{name ?? id}</a>,
    },
    { title: words.transfer, cell: ({ transfer_trunk_name: name }) => name ?? '–' },
    {
      title: words.status,
      cell: (number) => (
        <ActiveState
          name={number.number}
          isActive={number.is_active}
          onChange={actions === null ? null : (isActive) => void actions.activate(number, isActive)}
        />
      ),
    },
  ];
  if (actions === null) return columns;
  const { open, remove } = actions;
  return [
    ...columns,
    {
      title: words.actions,
      cell: (number) => <EditButtons of={number} open={open} remove={(each) => void remove(each)} />,
    },
  ];
}

export interface ActiveStateProps {
  readonly name: string;
  readonly isActive: boolean;
  /** Null if the session may not change it. */
  readonly onChange: ((isActive: boolean) => void) | null;
}

/** Shows and switches the state of a number or trunk. */
export function ActiveState({ name, isActive, onChange }: ActiveStateProps): JSX.Element {
  const words = isActive ? numberTexts.active : numberTexts.inactive;
  if (onChange === null) return <span class={isActive ? 'badge good' : 'badge'}>{words}</span>;
  return <Switch label={numberTexts.activeOf(name)} isOn={isActive} words={words} onChange={onChange} />;
}

export function EditButtons<T>(props: {
  readonly of: T;
  readonly open: (record: T) => void;
  readonly remove: (record: T) => void;
}): JSX.Element {
  const { of, open, remove } = props;
  return (
    <div class="row-actions">
      <Button kind="quiet" onClick={() => open(of)}>
        {numberTexts.edit}
      </Button>
      <Button kind="danger" onClick={() => remove(of)}>
        {numberTexts.remove}
      </Button>
    </div>
  );
}
