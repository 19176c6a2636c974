import type { PhoneNumberRecord } from '../../domain/numbers/phone-number.ts';
import type { SipTrunkRecord } from '../../domain/numbers/sip-trunk.ts';
import { RequestError } from '../../errors.ts';
import { invalidReference } from '../../input/references.ts';
import type { Records } from '../../ports/storage/records.ts';

/** Maximum numbers searched for one that can dial out. */
const maxNumbers = 1_000;
const maxTrunks = 1_000;

/** The number and trunk of an outbound call. */
export interface OutboundLine {
  readonly number: PhoneNumberRecord;
  readonly trunk: SipTrunkRecord;
}

/**
 * Returns the requested number, else the agent's, else any active one with a trunk, together with its trunk.
 * @throws RequestError 400 `invalid_reference`, 422 `no_outbound_number` or `no_trunk`
 */
export async function outboundLine(
  records: Records,
  orgId: string,
  { numberId, agentId }: { readonly numberId: string | null | undefined; readonly agentId: string | null | undefined },
): Promise<OutboundLine> {
  const trunks = await activeTrunks(records, orgId);
  if (numberId !== undefined && numberId !== null) {
    const number = await chosenNumber(records, orgId, numberId);
    const trunk = trunkOf(number, trunks);
    if (trunk !== undefined) return { number, trunk };
    throw new RequestError(
      422,
      'no_trunk',
      `No active SIP trunk carries ${number.number}: list it in \`numbers\` of a trunk, or set its ` +
        `\`transfer_trunk_id\`.`,
    );
  }
  const active = await records.numbers.list(orgId, { where: { is_active: true }, limit: maxNumbers });
  const ownFirst = [...active].sort((a, b) => Number(b.agent_id === agentId) - Number(a.agent_id === agentId));
  for (const number of ownFirst) {
    const trunk = trunkOf(number, trunks);
    if (trunk !== undefined) return { number, trunk };
  }
  const message =
    'The organization has no active number with an active SIP trunk to dial out from. List the number in ' +
    '`numbers` of a trunk, or set `transfer_trunk_id` of the number.';
  throw new RequestError(422, 'no_outbound_number', message);
}

/**
 * Returns how many more calls a trunk carries; calls of all its numbers count, in both directions. Must run in the
 * transaction that inserts the calls, after the check of the organization's limit, whose lock excludes concurrent
 * transactions.
 */
export async function trunkCallsLeft(tx: Records, orgId: string, trunk: SipTrunkRecord): Promise<number> {
  const limit = trunk.max_concurrent_calls;
  if (limit === null) return Number.POSITIVE_INFINITY;
  const trunks = await activeTrunks(tx, orgId);
  const numbers = await tx.numbers.list(orgId, { limit: maxNumbers });
  const carried = numbers.filter((number) => trunkOf(number, trunks)?.id === trunk.id).map(({ id }) => id);
  const status = { in: ['queued', 'connecting', 'in-progress'] as const };
  const calls = await tx.calls.count(orgId, { where: { number_id: { in: carried }, status, end_reason: null } });
  return Math.max(0, limit - calls);
}

async function activeTrunks(records: Records, orgId: string): Promise<SipTrunkRecord[]> {
  return await records.trunks.list(orgId, { where: { is_active: true }, limit: maxTrunks });
}

function trunkOf(number: PhoneNumberRecord, trunks: readonly SipTrunkRecord[]): SipTrunkRecord | undefined {
  return (
    trunks.find((trunk) => trunk.numbers.includes(number.number)) ??
    trunks.find((trunk) => trunk.id === number.transfer_trunk_id)
  );
}

async function chosenNumber(records: Records, orgId: string, id: string): Promise<PhoneNumberRecord> {
  const number = await records.numbers.get(orgId, id);
  if (number === null) throw invalidReference('number_id', id);
  if (number.is_active) return number;
  throw new RequestError(422, 'no_outbound_number', `The number ${number.number} is not active.`);
}
