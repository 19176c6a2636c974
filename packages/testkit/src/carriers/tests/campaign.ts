import assert from 'node:assert/strict';
import type { CarrierCallee } from '../../carrier-servers/index.ts';
import { heardText } from '../carrier-service.ts';
import type { CarrierTest } from '../carrier-test.ts';

const maxConcurrentCalls = 4;
const leadCount = 20;

/** Behaviour of a phone and expected result of its lead, by the last digit of the number. */
const kinds: readonly (readonly [CarrierCallee, string])[] = [
  [{ does: 'answer' }, 'completed user_hangup 1'],
  [{ does: 'answer', afterMs: 300 }, 'completed user_hangup 1'],
  [{ does: 'busy' }, 'failed busy 2'],
  [{ does: 'decline' }, 'failed declined 1'],
];

function numberOf(n: number): string {
  return `+3161234${String(n).padStart(2, '0')}0${n % kinds.length}`;
}

function kindOf(number: string): readonly [CarrierCallee, string] {
  return kinds[Number(number.at(-1))] ?? [{ does: 'fail' }, ''];
}

/** A campaign over the carrier. */
export const campaignTests: readonly CarrierTest[] = [
  {
    name: 'calls twenty leads, never more at once than it may, and each ends as its phone does',
    async run({ start }) {
      const service = await start({ server: { callee: (to) => kindOf(to)[0] } });
      const { operations } = service.va;
      const { id } = await operations.campaigns.create(service.orgId, {
        name: 'Twenty',
        agent_id: service.agentId,
        schedule_start_time: '00:00',
        schedule_end_time: '23:59:59',
        timezone: 'UTC',
        max_concurrent_calls: maxConcurrentCalls,
        max_attempts: 2,
        retry_delay_seconds: 1,
      });
      const leads = Array.from({ length: leadCount }, (_, n) => ({ phone_number: numberOf(n) }));
      await operations.leads.addMany(service.orgId, id, { leads });
      await operations.campaigns.update(service.orgId, id, { status: 'scheduled' });
      let mostAtOnce = 0;
      const isComplete = async (): Promise<boolean> => {
        mostAtOnce = Math.max(mostAtOnce, service.server.calls.filter((call) => call.isStreaming).length);
        for (const call of service.server.calls) {
          if (call.isStreaming && heardText(call).includes('Good evening.')) call.hangUp();
        }
        return (await operations.campaigns.get(service.orgId, id)).status === 'completed';
      };
      for (let waited = 0; !(await isComplete()); waited += 1) {
        assert.ok(waited < 1_000, 'The campaign did not complete.');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const { leads: after } = await operations.leads.list(service.orgId, id, { limit: 100 });
      const ends = after.map((lead) => [lead.phone_number, `${lead.status} ${lead.last_end_reason} ${lead.attempts}`]);
      const expected = leads.map(({ phone_number: number }) => [number, kindOf(number)[1]]);
      assert.deepEqual(ends.sort(), expected.sort());
      assert.ok(mostAtOnce <= maxConcurrentCalls, `${mostAtOnce} calls went on at once.`);
      assert.ok(mostAtOnce > 1, 'Calls went on one after the other.');
    },
  },
];
