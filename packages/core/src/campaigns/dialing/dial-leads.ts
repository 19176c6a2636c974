import type { CallControl, Room } from '../../calls/call-control.ts';
import type { RandomBytes } from '../../ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { Party } from './campaign-call.ts';
import type { TakenLeads } from './claim-leads.ts';
import { callsLeftFor, type Settled, settleTaken } from './lead-disposition.ts';
import { askHost, type MayCall, type Verdict } from './may-call.ts';

export interface DialDependencies {
  readonly storage: Storage;
  readonly calls: Pick<CallControl, 'nodeId' | 'takeRoom' | 'place'>;
  readonly mayCall: MayCall | undefined;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
}

/** What came of an attempt to dial. */
export interface Dialed extends Omit<Settled, 'changes'> {
  readonly hasNoMinutes: boolean;
}

/** Asks the host about leads that were taken, dials those that it lets, and decides in one transaction what becomes of each; none stays as it is. */
export async function dialLeads(
  deps: DialDependencies,
  party: Party,
  campaignId: string,
  taken: TakenLeads,
): Promise<Dialed> {
  const orgId = party.organization.id;
  const verdicts = new Map<string, Verdict>();
  await Promise.all(taken.leads.map(async (lead) => void verdicts.set(lead.id, await askHost(deps, orgId, lead))));
  const wanted = [...verdicts.values()].filter((verdict) => verdict === 'yes').length;
  return await withRooms(deps, party, wanted, (rooms) =>
    deps.storage.transaction(async (tx) => {
      const left = await callsLeftFor(tx, party);
      const campaign = await tx.campaigns.increment(orgId, campaignId, { calling_leads: 0 });
      if (campaign === null) return { requests: [], isFull: false, hasNoMinutes: left.hasNoMinutes };
      const most = Math.min(rooms, left.calls);
      const { changes, ...settled } = await settleTaken(deps, tx, { party, campaign, taken, verdicts, most });
      if (Object.keys(changes).length > 0) await tx.campaigns.update(orgId, campaignId, changes);
      return { ...settled, hasNoMinutes: left.hasNoMinutes };
    }),
  );
}

/** Takes up to so many rooms, places the calls that `work` decides on, one in each, and gives the other rooms back. */
export async function withRooms<T extends Pick<Dialed, 'requests'>>(
  { calls }: Pick<DialDependencies, 'calls'>,
  { organization }: Pick<Party, 'organization'>,
  wanted: number,
  work: (rooms: number) => Promise<T>,
): Promise<T> {
  const rooms = await takeRooms(calls, organization, wanted);
  try {
    const dialed = await work(rooms.length);
    for (const request of dialed.requests) {
      const room = rooms.pop();
      if (room !== undefined) calls.place(request, room);
    }
    return dialed;
  } finally {
    for (const room of rooms) room.give();
  }
}

async function takeRooms(
  calls: Pick<CallControl, 'takeRoom'>,
  organization: Party['organization'],
  wanted: number,
): Promise<Room[]> {
  const rooms: Room[] = [];
  try {
    while (rooms.length < wanted) rooms.push(await calls.takeRoom(organization));
  } catch {
    // No room for more in this process, or in the organization's share of it: the other leads wait.
  }
  return rooms;
}
