import { ScriptedIncomingCall } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { refusal } from '../operations/support.ts';
import type { CampaignService } from './campaign-service.ts';
import { campaignServices } from './campaign-services.ts';

const service = campaignServices();

/** Places a call of the first organization. */
async function place(my: CampaignService): Promise<unknown> {
  return await my.va.operations.calls.place(my.orgId, { destination: '+31687654321', agent_id: my.agentId });
}

/** Adds a second organization with an agent, a number and a trunk. */
async function neighbour(my: CampaignService): Promise<{ orgId: string; agentId: string }> {
  const { id: orgId } = await my.va.operations.organizations.create({ name: 'Neighbour' });
  return { orgId, agentId: await my.newLine({}, orgId) };
}

describe('the call limit of an organization in a process', () => {
  it('is half of the slots when there is a second organization, which can still place calls', async () => {
    const my = await service({}, { limits: { maxConcurrentCalls: 4, maxRingingCallsPerOrganization: 0 } });
    const other = await neighbour(my);
    await place(my);
    await place(my);
    expect(await refusal(place(my))).toMatchObject({ status: 429, code: 'concurrency_limit_exceeded' });
    const placed = { destination: '+31687654321', agent_id: other.agentId };
    expect(await my.va.operations.calls.place(other.orgId, placed)).toMatchObject({ success: true });
    await my.clock.advance(20);
    await my.refuse(my.live[0], 'busy');
    await my.clock.advance(1_000);
    expect(await place(my)).toMatchObject({ success: true });
  });

  it('is all slots for a single organization', async () => {
    const my = await service({}, { limits: { maxConcurrentCalls: 4 } });
    for (let placed = 0; placed < 4; placed += 1) await place(my);
    expect(await refusal(place(my))).toMatchObject({ status: 503, code: 'unavailable' });
  });

  it('is maxCallsPerOrganization when set, also for a single organization', async () => {
    const my = await service({}, { limits: { maxConcurrentCalls: 4, maxCallsPerOrganization: 1 } });
    await place(my);
    expect(await refusal(place(my))).toMatchObject({ status: 429, code: 'concurrency_limit_exceeded' });
  });

  it('is the concurrency_limit of the organization when set', async () => {
    const my = await service({}, { limits: { maxConcurrentCalls: 4, maxRingingCallsPerOrganization: 0 } });
    await neighbour(my);
    await my.organization({ concurrency_limit: 3 });
    for (let placed = 0; placed < 3; placed += 1) await place(my);
    expect(await refusal(place(my))).toMatchObject({ status: 429, code: 'concurrency_limit_exceeded' });
  });

  it('is disabled when maxCallsPerOrganization is 0', async () => {
    const limits = { maxCallsPerOrganization: 0, maxRingingCallsPerOrganization: 0 };
    const my = await service({}, { limits: { ...limits, maxConcurrentCalls: 3 } });
    await neighbour(my);
    for (let placed = 0; placed < 3; placed += 1) await place(my);
  });

  it('rejects and records inbound calls beyond it', async () => {
    const my = await service({}, { limits: { maxConcurrentCalls: 2 } });
    await neighbour(my);
    const [number] = await my.va.operations.numbers.list(my.orgId);
    const ring = async (): Promise<ScriptedIncomingCall> => {
      const incoming = new ScriptedIncomingCall({ to: number?.number ?? '' });
      my.telephony.ring(incoming);
      await my.clock.advance(100);
      return incoming;
    };
    const [first, second] = [await ring(), await ring()];
    expect([first.answered, first.end, second.answered]).toEqual([true, null, false]);
    expect(await my.calls()).toMatchObject([
      { status: 'failed', end_reason: 'concurrency_limit_exceeded' },
      { status: 'in-progress' },
    ]);
  });
});

describe('ringing outbound calls of an organization', () => {
  it('take at most a quarter of the slots until they are answered', async () => {
    const my = await service({}, { limits: { maxConcurrentCalls: 8 } });
    await neighbour(my);
    await place(my);
    await place(my);
    await my.clock.advance(20);
    expect(await refusal(place(my))).toMatchObject({ status: 429, code: 'too_many_ringing_calls' });
    my.live[0]?.pickUp();
    await my.clock.advance(1_000);
    expect(await place(my)).toMatchObject({ success: true });
    await my.clock.advance(20);
    expect(my.live).toHaveLength(3);
  });

  it('are not limited by default for a single organization', async () => {
    const my = await service({}, { limits: { maxConcurrentCalls: 8 } });
    for (let placed = 0; placed < 8; placed += 1) await place(my);
  });

  it('delay a campaign at their limit without failing its leads', async () => {
    const my = await service({}, { limits: { maxRingingCallsPerOrganization: 2 } });
    const id = await my.campaign(4, { max_concurrent_calls: 4, max_attempts: 1 });
    await my.clock.advance(3_000);
    expect(my.live).toHaveLength(2);
    expect(await my.get(id)).toMatchObject({ status: 'running', calling_leads: 2, pending_leads: 2, failed_leads: 0 });
    my.live[0]?.pickUp();
    await my.clock.advance(2_000);
    expect(my.live).toHaveLength(3);
    for (const call of my.live) call.pickUp();
    await my.clock.advance(3_000);
    expect(my.live).toHaveLength(4);
    for (const call of my.live) await my.talk(call);
    await my.clock.advance(2_000);
    expect(await my.get(id)).toMatchObject({ status: 'completed', completed_leads: 4, failed_leads: 0 });
  });
});
