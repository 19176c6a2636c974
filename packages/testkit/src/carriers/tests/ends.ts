import assert from 'node:assert/strict';
import { agentNumber, callerNumber, heardText } from '../carrier-service.ts';
import type { CarrierTest } from '../carrier-test.ts';

/** Tests of the end of calls, and of webhooks and streams that the service must refuse. */
export const endTests: readonly CarrierTest[] = [
  {
    name: 'refuses a call whose agent is not active',
    async run({ start }) {
      const service = await start({ agent: { is_active: false } });
      const call = await service.call();
      await service.until(() => call.refused && call.ended);
      assert.equal((await service.lastCall()).end_reason, 'rejected_inactive');
    },
  },
  {
    name: 'ends when the caller hangs up in the middle of a sentence',
    async run({ start }) {
      const service = await start({ agent: { first_message: 'A first message that takes about one second.' } });
      const call = await service.call();
      await service.silence(call, () => heardText(call).length > 5);
      call.hangUp();
      const record = await service.lastCall();
      assert.equal(record.end_reason, 'user_hangup');
      assert.ok((record.messages[0]?.content.length ?? 0) < 44, 'The record has what was not heard.');
      assert.equal(service.va.activeCalls, 0);
    },
  },
  {
    name: 'ends at the carrier too when the connection of the stream breaks',
    async run({ start }) {
      const service = await start();
      const call = await service.call();
      await service.silence(call, () => heardText(call).includes('Good'));
      call.breakStream();
      assert.equal((await service.lastCall()).end_reason, 'user_hangup');
      await service.until(() => call.ended);
    },
  },
  {
    name: 'ends at the carrier when the service ends it',
    async run({ start }) {
      const service = await start();
      const call = await service.call();
      await service.silence(call, () => heardText(call).includes('Good evening.'));
      await service.control({ type: 'end-call' });
      await service.silence(call, () => call.ended);
      assert.equal(service.va.activeCalls, 0);
    },
  },
  {
    name: 'refuses webhooks without a valid signature, whatever number they name',
    async run({ start }) {
      const service = await start();
      const { adapterUrl } = service;
      const strangers = [
        { from: callerNumber, to: agentNumber, adapterUrl, forged: true },
        { from: callerNumber, to: '+31200000000', adapterUrl },
      ] as const;
      for (const stranger of strangers) {
        const { status } = await service.server.receive(stranger);
        assert.equal(status, 403, `A call to ${stranger.to}`);
      }
      assert.equal(service.va.activeCalls, 0);
    },
  },
  {
    name: 'refuses a stream with a token that was used',
    async run({ start }) {
      const service = await start();
      const call = await service.call();
      await service.silence(call, () => heardText(call).includes('Good'));
      assert.ok(await call.isRefusedAgain(), 'The second stream was accepted.');
      assert.ok(call.isStreaming, 'The first stream was closed.');
    },
  },
  {
    name: 'refuses a stream with a forged token',
    async run({ start }) {
      const service = await start({ server: { faults: { token: '0'.repeat(32) } } });
      const call = await service.call();
      await service.until(() => call.streamUrl !== '' && !call.isStreaming);
      assert.ok(
        call.heard.every((frame) => frame.every((code) => code === 0xff)),
        'The stranger heard the agent.',
      );
    },
  },
];
