import type { PhoneCall } from './phone-call.ts';

/** Creates a trunk, and sends transfers of the prepared call's number through it. */
export async function addTransferTrunk({ va: { operations }, orgId }: PhoneCall): Promise<void> {
  const trunk = await operations.trunks.create(orgId, { name: 'Out', provider: 'acme', address: 'sip.test' });
  const [number] = await operations.numbers.list(orgId);
  await operations.numbers.update(orgId, number?.id ?? '', { transfer_trunk_id: trunk.id });
}
