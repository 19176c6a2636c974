import { describe, expect, it } from 'vitest';
import type { CampaignRecord } from '../../../src/domain/campaigns/campaign.ts';
import { sampleCampaign } from '../../support/sample-records.ts';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations, unknownId } from '../support.ts';

describe('registering a phone number', () => {
  it('stores it in E.164 and returns it in both fields', async () => {
    const { operations } = testOperations();
    const number = await operations.numbers.register(orgId, { phone_number: ' +31 (0)20-555 01 00' });
    expect(number).toMatchObject({ number: '+31205550100', phone_number: '+31205550100' });
    expect(number).toMatchObject({ name: null, agent_id: null, agent_name: null, is_active: true });
    expect(number).toMatchObject({ transfer_trunk_id: null, transfer_trunk_name: null });
  });

  it('returns the names of its agent', async () => {
    const { operations } = testOperations();
    const agent = await operations.agents.create(orgId, { name: 'Desk', business_name: 'Acme' });
    const registered = await operations.numbers.register(orgId, { phone_number: '+31205550100', agent_id: agent.id });
    expect(registered).toMatchObject({ agent_id: agent.id, agent_name: 'Desk', business_name: 'Acme' });
    expect(await operations.numbers.get(orgId, registered.id)).toEqual(registered);
    expect(await operations.numbers.list(orgId)).toEqual([registered]);
  });

  it.each(['020 555 01 00', '+31', 'sip:a@b.example', '', '+999999999999'])(
    'refuses the number %j',
    async (phone_number) => {
      const { operations } = testOperations();
      const error = await refusal(operations.numbers.register(orgId, { phone_number }));
      expect([error.status, error.code, faultsOf(error)]).toEqual([
        400,
        'invalid_phone_number',
        ['phone_number invalid_phone_number'],
      ]);
    },
  );

  it('refuses a number that is already registered by any organization', async () => {
    const { operations } = testOperations();
    await operations.numbers.register(otherOrgId, { phone_number: '+31205550100' });
    const error = await refusal(operations.numbers.register(orgId, { phone_number: '+31 20 555 0100' }));
    expect([error.status, error.code, error.faults[0]?.path]).toEqual([409, 'phone_number_exists', 'phone_number']);
    expect(await operations.numbers.list(orgId)).toEqual([]);
  });

  // Security: a tenant could register any number, and its owner then got a 409.
  it('refuses a number that the host does not assign to the organization', async () => {
    const mayUseNumber = (organization: string, number: string): boolean =>
      organization === otherOrgId && number === '+31205550100';
    const { operations } = testOperations({ mayUseNumber });
    const written = { phone_number: '+31205550100' };
    const error = await refusal(operations.numbers.register(orgId, written));
    expect([error.status, error.code]).toEqual([403, 'number_not_allowed']);
    expect(await operations.numbers.register(otherOrgId, written)).toMatchObject({ number: '+31205550100' });
  });

  it('treats ids as case-insensitive', async () => {
    const { operations } = testOperations();
    const agent = await operations.agents.create(orgId, { name: 'Desk' });
    const agent_id = agent.id.toUpperCase();
    const registered = await operations.numbers.register(orgId, { phone_number: '+31205550100', agent_id });
    expect(registered).toMatchObject({ agent_id: agent.id, agent_name: 'Desk' });
  });

  it('refuses an agent or a trunk that the organization does not have', async () => {
    const { operations } = testOperations();
    const foreign = await operations.agents.create(otherOrgId, { name: 'A' });
    const number = await operations.numbers.register(orgId, { phone_number: '+31205550100' });
    for (const reference of [{ agent_id: unknownId }, { agent_id: foreign.id }, { transfer_trunk_id: unknownId }]) {
      const [field] = Object.keys(reference);
      const registering = operations.numbers.register(orgId, { phone_number: '+31205550199', ...reference });
      expect(faultsOf(await refusal(registering))).toEqual([`${field} invalid_reference`]);
      const assigning = operations.numbers.update(orgId, number.id, reference);
      expect(faultsOf(await refusal(assigning))).toEqual([`${field} invalid_reference`]);
    }
    expect(await operations.numbers.list(orgId)).toEqual([number]);
  });
});

describe('updating and deleting a phone number', () => {
  it('changes only the given fields', async () => {
    const { operations, clock } = testOperations();
    const agent = await operations.agents.create(orgId, { name: 'Desk' });
    const number = await operations.numbers.register(orgId, { phone_number: '+31205550100', name: 'Main' });
    await clock.advance(3);
    const assigned = await operations.numbers.update(orgId, number.id, { agent_id: agent.id });
    const updated_at = '2026-01-01T09:00:00.003Z';
    expect(assigned).toEqual({ ...number, agent_id: agent.id, agent_name: 'Desk', updated_at });
    expect((await operations.numbers.update(orgId, number.id, { agent_id: null })).agent_name).toBeNull();
  });

  it('refuses to change the number itself', async () => {
    const { operations } = testOperations();
    const { id } = await operations.numbers.register(orgId, { phone_number: '+31205550100' });
    const error = await refusal(operations.numbers.update(orgId, id, untyped({ phone_number: '+31205550101' })));
    expect(faultsOf(error)).toEqual(['phone_number unknown_field']);
  });

  it('deletes it, and returns 404 the second time', async () => {
    const { operations } = testOperations();
    const { id } = await operations.numbers.register(orgId, { phone_number: '+31205550100' });
    await operations.numbers.delete(orgId, id);
    expect(await refusal(operations.numbers.delete(orgId, id))).toMatchObject({ code: 'phone_number_not_found' });
    expect(await refusal(operations.numbers.get(orgId, id))).toMatchObject({ status: 404 });
    await operations.numbers.register(otherOrgId, { phone_number: '+31205550100' });
  });
});

describe('a number that a running campaign dials from', () => {
  const outbound = { name: 'Main', provider: 'acme', address: 'sip.example.com' };

  /** Stores an agent, its campaign, and two numbers that calls can go out from; the first one is of the agent. */
  async function dialing(changes: Partial<CampaignRecord> = {}) {
    const { operations, storage } = testOperations();
    const agent = await operations.agents.create(orgId, { name: 'Sales' });
    const numbers = ['+31205550100', '+31205550101'];
    await operations.trunks.create(orgId, { ...outbound, numbers });
    const [own, other] = [
      await operations.numbers.register(orgId, { phone_number: '+31205550100', agent_id: agent.id }),
      await operations.numbers.register(orgId, { phone_number: '+31205550101' }),
    ];
    const campaign = sampleCampaign({ agent_id: agent.id, ...changes });
    await storage.campaigns.insert(orgId, campaign);
    return { operations, storage, own, other, campaign };
  }

  it('stays while the campaign has no number of its own and selects it', async () => {
    const { operations, own, other } = await dialing();
    expect(await refusal(operations.numbers.delete(orgId, own.id))).toMatchObject({ code: 'number_in_use' });
    await operations.numbers.delete(orgId, other.id);
    expect((await operations.numbers.list(orgId)).map(({ id }) => id)).toEqual([own.id]);
  });

  it.each(['draft', 'scheduled', 'paused', 'completed', 'cancelled'] as const)(
    'can be deleted while the campaign is %s',
    async (status) => {
      const { operations, own } = await dialing({ status });
      await operations.numbers.delete(orgId, own.id);
      expect(await operations.numbers.list(orgId)).toHaveLength(1);
    },
  );

  it('can be deleted if the campaign cannot dial from it', async () => {
    const { operations, own } = await dialing();
    await operations.numbers.update(orgId, own.id, { is_active: false });
    await operations.numbers.delete(orgId, own.id);
    expect(await operations.numbers.list(orgId)).toHaveLength(1);
  });

  it('can be deleted if no number has a trunk', async () => {
    const { operations, own } = await dialing();
    const [trunk] = await operations.trunks.list(orgId);
    await operations.trunks.delete(orgId, trunk?.id ?? '');
    await operations.numbers.delete(orgId, own.id);
    expect(await operations.numbers.list(orgId)).toHaveLength(1);
  });
});

describe('listing phone numbers', () => {
  it('has the names of agents and trunks, newest number first', async () => {
    const { operations, clock } = testOperations();
    const agent = await operations.agents.create(orgId, { name: 'Desk' });
    const trunk = await operations.trunks.create(orgId, { name: 'Out', provider: 'acme', address: 'sip.example.com' });
    const register = async (n: number, references: object) => {
      await operations.numbers.register(orgId, { phone_number: `+3120555010${n}`, ...references });
      await clock.advance(1_000);
    };
    await register(1, { agent_id: agent.id });
    await register(2, { transfer_trunk_id: trunk.id });
    await register(3, { agent_id: agent.id, transfer_trunk_id: trunk.id });
    await operations.numbers.register(otherOrgId, { phone_number: '+31205550109' });
    const shown = await operations.numbers.list(orgId);
    expect(shown.map((each) => [each.number.at(-1), each.agent_name, each.transfer_trunk_name])).toEqual([
      ['3', 'Desk', 'Out'],
      ['2', null, 'Out'],
      ['1', 'Desk', null],
    ]);
    expect(
      (await operations.numbers.list(orgId, untyped({ limit: '1', offset: '2' }))).map(({ number }) => number),
    ).toEqual(['+31205550101']);
  });
});
