import assert from 'node:assert/strict';
import type { CarrierCallee } from '../../carrier-servers/index.ts';
import { agentNumber, heardText } from '../carrier-service.ts';
import type { CarrierTest } from '../carrier-test.ts';

const ends: readonly (readonly [CarrierCallee, string])[] = [
  [{ does: 'busy' }, 'busy'],
  [{ does: 'no-answer' }, 'no_answer'],
  [{ does: 'decline' }, 'declined'],
  [{ does: 'not-exist' }, 'invalid_destination'],
  [{ does: 'fail' }, 'dial_failed'],
  [{ does: 'refuse', why: 'destination' }, 'invalid_destination'],
  [{ does: 'refuse', why: 'credentials' }, 'dial_failed'],
];

/** Tests of outbound calls. */
export const outboundTests: readonly CarrierTest[] = [
  {
    name: 'is placed by the API, and the agent talks with the callee',
    async run({ start }) {
      const service = await start();
      await service.place();
      const call = await service.streaming();
      await service.silence(call, () => heardText(call).includes('Good evening.'));
      call.hangUp();
      const record = await service.lastCall();
      assert.deepEqual([record.direction, record.end_reason], ['outbound', 'user_hangup']);
      assert.equal(record.assistant_phone, agentNumber);
      await service.until(() => service.server.callbackStatuses.length >= 2);
      assert.ok(
        service.server.callbackStatuses.every((status) => status < 300),
        `Reports were answered with ${service.server.callbackStatuses}.`,
      );
    },
  },
  ...ends.map(
    ([callee, reason]): CarrierTest => ({
      name: `ends as the phone of the callee does: ${JSON.stringify(callee)}`,
      async run({ start }) {
        const service = await start({ server: { callee: () => callee } });
        await service.place();
        assert.equal((await service.lastCall()).end_reason, reason);
      },
    }),
  ),
  {
    name: 'does not mind reports out of order',
    async run({ start }) {
      const service = await start({ server: { reversesCallbacks: true } });
      await service.place();
      const call = await service.streaming();
      await service.silence(call, () => heardText(call).includes('Good evening.'));
      call.hangUp();
      assert.equal((await service.lastCall()).end_reason, 'user_hangup');
    },
  },
  {
    name: 'is cancelled at the carrier while it rings',
    async run({ start }) {
      const service = await start({ server: { callee: () => ({ does: 'ring' }) } });
      await service.place();
      await service.until(() => service.server.calls.length === 1);
      await service.control({ type: 'end-call' });
      await service.until(() => service.server.calls[0]?.ended === true);
      assert.equal((await service.lastCall()).end_reason, 'canceled');
    },
  },
  {
    name: 'is given up at the carrier when it rings for too long',
    async run({ start }) {
      const service = await start({ server: { callee: () => ({ does: 'ring' }) } });
      await service.place('+31687654321', { ring_timeout_seconds: 5 });
      await service.until(() => service.server.calls[0]?.ended === true);
      assert.equal((await service.lastCall()).end_reason, 'no_answer');
    },
  },
];
