import type { NewSipTrunk, SipTrunk, SipTrunkChanges } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { loadSchema } from '../../api/openapi.ts';
import { changedFields, type JsonObject } from '../../data/paths.ts';
import { withFields, withoutRow } from '../../data/rows.ts';
import type { FormSchema } from '../../data/schema.ts';
import { useRefresh } from '../../data/use-refresh.ts';
import { useResource } from '../../data/use-resource.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { numberTexts, trunkFields } from '../../texts/en/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog/confirm.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import type { TableColumn } from '../../ui/list/data-table.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { attempt } from '../../ui/notice/toast.tsx';
import { TrunkState } from '../../ui/values/trunk-state.tsx';
import { ActiveState, EditButtons } from './numbers.tsx';

const types = ['sip', 'twilio', 'telnyx', 'plivo', 'vonage'] as const;
type EditableTrunkType = (typeof types)[number];

interface OpenedTrunk {
  readonly type: EditableTrunkType;
  /** Null for a new trunk. */
  readonly trunk: SipTrunk | null;
  readonly schema: FormSchema;
}

/** The trunks. Write-only fields, such as passwords, are sent but never shown. */
export function Trunks({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { client } = session;
  const trunks = useResource('trunks', () => client.trunks.list());
  const health = useResource('health', (signal) => client.trunks.healthOfAll({ signal }));
  useRefresh(health.reload);
  const [opened, setOpened] = useState<OpenedTrunk | null>(null);
  const canWrite = can(session.scopes, 'trunks:write');
  const open = (type: EditableTrunkType, trunk: SipTrunk | null): void =>
    void attempt(async () => setOpened({ type, trunk, schema: schemaOf(await loadSchema('NewSipTrunk'), type) }));
  const submit = async (values: JsonObject): Promise<void> => {
    if (opened === null) return;
    const { type, trunk, schema } = opened;
    // The service validates the values.
    if (trunk === null) await client.trunks.create({ ...values, type } as unknown as NewSipTrunk);
    else await client.trunks.update(trunk.id, changedFields(shownFields(trunk, schema), values) as SipTrunkChanges);
    setOpened(null);
    trunks.reload();
  };
  const remove = async ({ id, name }: SipTrunk): Promise<void> => {
    const question = { title: numberTexts.removeTitle(name), text: numberTexts.removeTrunk };
    if (!(await confirm({ ...question, action: numberTexts.remove }))) return;
    await attempt(() => trunks.change(withoutRow(id), () => client.trunks.delete(id)), numberTexts.removed);
  };
  const activate = async ({ id }: SipTrunk, is_active: boolean): Promise<void> => {
    const change = withFields<SipTrunk>(id, { is_active });
    await attempt(() => trunks.change(change, () => client.trunks.update(id, { is_active })));
  };
  const { columns: words } = numberTexts;
  const columns: TableColumn<SipTrunk>[] = [
    {
      title: words.name,
      cell: ({ name, type }) => (
        <>
          <div>{name}</div>
          <div class="muted small">{numberTexts.trunkTypes[type]}</div>
        </>
      ),
    },
    { title: words.address, cell: ({ address }) => <span class="wrap">{address}</span> },
    { title: words.numbers, cell: ({ numbers }) => <span class="wrap">{numbers.join(', ') || '–'}</span> },
    { title: words.limit, cell: ({ max_concurrent_calls: limit }) => limit ?? numberTexts.unlimited },
    {
      title: words.status,
      cell: (trunk) => {
        const known = health.value?.find(({ trunk_id: trunkId }) => trunkId === trunk.id);
        return (
          <>
            <ActiveState
              name={trunk.name}
              isActive={trunk.is_active}
              onChange={canWrite ? (isActive) => void activate(trunk, isActive) : null}
            />
            {known !== undefined && <TrunkState health={known} />}
          </>
        );
      },
    },
  ];
  if (canWrite) {
    columns.push({
      title: words.actions,
      cell: (trunk) => (
        <EditButtons of={trunk} open={(each) => open(each.type, each)} remove={(each) => void remove(each)} />
      ),
    });
  }
  return (
    <>
      {canWrite && (
        <fieldset class="choices">
          <legend>{numberTexts.createTrunk}</legend>
          <div class="actions">
            {types.map((type) => (
              <Button key={type} onClick={() => open(type, null)}>
                {numberTexts.trunkTypes[type]}
              </Button>
            ))}
          </div>
        </fieldset>
      )}
      <ListView
        label={numberTexts.tabs.trunks}
        resource={trunks}
        columns={columns}
        keyOf={({ id }) => id}
        none={numberTexts.noTrunks}
        noneExplanation={numberTexts.noTrunksExplanation}
      />
      {opened !== null && (
        <FormDialog
          title={opened.trunk?.name ?? numberTexts.createTrunk}
          schema={opened.schema}
          initial={opened.trunk === null ? { is_active: true } : shownFields(opened.trunk, opened.schema)}
          texts={trunkFields}
          without={['type']}
          action={numberTexts.save}
          onSubmit={submit}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

function schemaOf({ oneOf = [] }: FormSchema, type: EditableTrunkType): FormSchema {
  return oneOf.find(({ properties }) => properties?.type?.const === type) ?? {};
}

/** Returns the values of the form fields. Write-only fields are missing, because the API does not return them. */
function shownFields(trunk: SipTrunk, { properties = {} }: FormSchema): JsonObject {
  return Object.fromEntries(Object.entries(trunk).filter(([key]) => key !== 'type' && key in properties));
}
