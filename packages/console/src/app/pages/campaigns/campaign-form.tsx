import type { Campaign, CampaignChanges, NewCampaign } from '@va/client';
import type { JSX } from 'preact';
import { loadSchema } from '../../api/openapi.ts';
import { changedFields, type JsonObject } from '../../data/paths.ts';
import type { FormSchema } from '../../data/schema.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { campaignFields, campaignTexts } from '../../texts/en/campaigns.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import type { FormState } from '../../ui/form/form-state.ts';

export interface CampaignFormData {
  readonly schema: FormSchema;
  readonly choices: FormState['choices'];
}

/** Loads the options of the campaign form. */
export async function loadCampaignForm({ client, scopes }: ConsoleSession): Promise<CampaignFormData> {
  const agents = can(scopes, 'agents:read') ? await client.agents.list() : [];
  const numbers = can(scopes, 'numbers:read') ? await client.numbers.list() : [];
  return {
    schema: await loadSchema('NewCampaign'),
    choices: {
      agent_id: agents.map(({ id, name }) => ({ value: id, label: name })),
      number_id: numbers.map(({ id, number }) => ({ value: id, label: number })),
    },
  };
}

export interface CampaignDialogProps extends CampaignFormData {
  readonly session: ConsoleSession;
  /** Null for a new campaign. */
  readonly campaign: Campaign | null;
  readonly onSaved: (campaign: Campaign) => void;
  readonly onClose: () => void;
}

/** Creates a campaign, or edits one that is not running. */
export function CampaignDialog(props: CampaignDialogProps): JSX.Element {
  const { session, campaign, schema, choices, onSaved, onClose } = props;
  const { campaigns } = session.client;
  const initial = campaign === null ? newCampaign() : shownFields(campaign, schema);
  const submit = async (values: JsonObject): Promise<void> => {
    // The service validates the values.
    if (campaign === null) onSaved(await campaigns.create(values as unknown as NewCampaign));
    else onSaved(await campaigns.update(campaign.id, changedFields(initial, values) as CampaignChanges));
  };
  return (
    <FormDialog
      title={campaign?.name ?? campaignTexts.create}
      schema={schema}
      initial={initial}
      texts={campaignFields}
      choices={choices}
      action={campaign === null ? campaignTexts.submit : campaignTexts.save}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}

/** Returns the initial values of a new campaign: default calling hours in the viewer's time zone. */
function newCampaign(): JsonObject {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return {
    schedule_start_time: '09:00',
    schedule_end_time: '17:00',
    timezone: timeZone,
    schedule_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  };
}

function shownFields(campaign: Campaign, { properties = {} }: FormSchema): JsonObject {
  return Object.fromEntries(Object.entries(campaign).filter(([key]) => key in properties));
}
