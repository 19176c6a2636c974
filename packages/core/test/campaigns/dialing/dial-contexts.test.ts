import { scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { callsLeftFor } from '../../../src/campaigns/dialing/calls-left.ts';
import { DialContexts } from '../../../src/campaigns/dialing/dial-contexts.ts';
import type { Provider } from '../../../src/ports/providers/provider.ts';
import { orgId } from '../../operations/support.ts';
import { recordId, sampleCampaign, sampleNumber } from '../../support/sample-records.ts';
import { type CampaignRecords, campaignRecords } from '../support.ts';

const providers: readonly Provider[] = [scriptedStt(), scriptedLlm([]), scriptedTts()];

async function contextOf(
  change: (records: CampaignRecords) => unknown = () => {},
  given: readonly Provider[] | undefined = undefined,
) {
  const records = await campaignRecords();
  await change(records);
  return await new DialContexts(records.storage, given).of(orgId, await records.campaign());
}

describe('DialContexts', () => {
  it('returns organization, agent and line of a campaign', async () => {
    expect(await contextOf()).toMatchObject({
      organization: { id: orgId },
      agent: { id: recordId('a') },
      line: { number: { id: recordId('1') }, trunk: { id: recordId('2') } },
    });
  });

  it.each<[string, (records: CampaignRecords) => unknown, string]>([
    ['its agent was deleted', ({ storage }) => storage.agents.delete(orgId, recordId('a')), 'The agent was deleted.'],
    [
      'its organization was deleted',
      ({ storage }) => storage.organizations.delete(orgId, orgId),
      'The organization was deleted.',
    ],
    [
      'its number is not active',
      async ({ storage }) => {
        await storage.campaigns.update(orgId, recordId('3'), { number_id: recordId('1') });
        await storage.numbers.update(orgId, recordId('1'), { is_active: false });
      },
      `The number ${sampleNumber().number} is not active.`,
    ],
  ])('says why it cannot call when %s', async (_why, change, reason) => {
    expect(await contextOf(change)).toBe(reason);
  });

  it('says what an agent lacks if the providers are known', async () => {
    expect(await contextOf(undefined, providers)).toBe('The agent has no llm_config.');
  });

  it('reads the records of campaigns with the same agent and number once', async () => {
    const records = await campaignRecords();
    let reads = 0;
    const agents = { ...records.storage.agents };
    const counted = {
      ...records.storage,
      agents: {
        ...agents,
        get: (...address: Parameters<typeof agents.get>) => {
          reads += 1;
          return agents.get(...address);
        },
      },
    };
    const contexts = new DialContexts(counted, undefined);
    const campaign = await records.campaign();
    await Promise.all([contexts.of(orgId, campaign), contexts.of(orgId, { ...campaign, id: recordId('3', 2) })]);
    expect(reads).toBe(1);
    await contexts.of(orgId, { ...campaign, number_id: recordId('1') });
    expect(reads).toBe(2);
  });

  it('does not hide a failure of the storage', async () => {
    const records = await campaignRecords();
    const failing = {
      ...records.storage,
      trunks: { ...records.storage.trunks, list: () => Promise.reject(new Error('the database is down')) },
    };
    await expect(
      new DialContexts(failing, undefined).of(orgId, sampleCampaign({ agent_id: recordId('a') })),
    ).rejects.toThrow('the database is down');
  });
});

describe('callsLeftFor', () => {
  async function left(change: (records: CampaignRecords) => unknown) {
    const records = await campaignRecords();
    await change(records);
    const context = await records.context();
    return await records.storage.transaction((tx) => callsLeftFor(tx, context));
  }

  it('has no bound without limits', async () => {
    expect(await left(() => {})).toEqual({ calls: Number.POSITIVE_INFINITY, usedUp: null });
  });

  it('is the smaller of the limits of organization and trunk', async () => {
    const limits =
      (concurrency: number, trunk: number) =>
      async ({ storage }: CampaignRecords) => {
        await storage.organizations.update(orgId, orgId, { concurrency_limit: concurrency });
        await storage.trunks.update(orgId, recordId('2'), { max_concurrent_calls: trunk });
      };
    expect((await left(limits(3, 7))).calls).toBe(3);
    expect((await left(limits(7, 2))).calls).toBe(2);
  });

  it.each([
    ['minutes', { minutes_balance: 0 }],
    ['credit', { credit_balance: 0 }],
    ['credit, but with minutes', { minutes_balance: 100, credit_balance: -1 }],
  ])('has no calls without %s', async (_, balance) => {
    const usedUp = ({ storage }: CampaignRecords) => storage.organizations.update(orgId, orgId, balance);
    expect(await left(usedUp)).toMatchObject({ calls: 0, usedUp: { reason: 'insufficient_credits' } });
  });
});
