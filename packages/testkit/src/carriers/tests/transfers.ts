import assert from 'node:assert/strict';
import { calling, saying } from '../../scripted/scripted-llm.ts';
import { heardText } from '../carrier-service.ts';
import type { CarrierTest } from '../carrier-test.ts';

const number = '+31207654321';

function transferTo(mode: 'blind' | 'warm') {
  const destinations = [{ type: 'number' as const, number, mode }];
  return { llm_config: { provider: 'scripted', tools: [{ type: 'transferCall' as const, destinations }] } };
}

/** Tests of transfers. */
export const transferTests: readonly CarrierTest[] = [
  {
    name: 'is transferred blindly by the API, and goes on without the service',
    async run({ start }) {
      const service = await start({
        agent: transferTo('blind'),
        turns: ['A person, please.'],
        replies: [calling('transferCall', { destination: number })],
      });
      const call = await service.call();
      await service.silence(call, () => heardText(call).includes('Good evening.'));
      await service.speak(call, 600);
      await service.silence(call, () => call.transferredTo !== null);
      assert.equal(call.transferredTo, number);
      assert.equal((await service.lastCall()).end_reason, 'transferred');
      await service.until(() => !call.isStreaming);
      assert.equal(call.ended, false, 'The service hung up a call that it had transferred.');
    },
  },
  {
    name: 'asks the destination of a warm transfer on a second call, and bridges the two streams',
    async run({ start }) {
      const service = await start({
        agent: transferTo('warm'),
        turns: ['A person, please.', 'Yes.'],
        replies: [calling('transferCall', { destination: number }), saying('Do you take it?'), calling('accept_call')],
      });
      await service.useTrunkForTransfers();
      const caller = await service.call();
      await service.silence(caller, () => heardText(caller).includes('Good evening.'));
      await service.speak(caller, 600);
      await service.silence(caller, () => service.server.calls[1]?.isStreaming === true);
      const desk = await service.streaming(1);
      const asked = (): number => heardText(desk).length;
      await service.silence(desk, () => asked() > 0);
      for (let last = 0; last !== asked(); ) {
        last = asked();
        await service.speak(desk, 300, new Uint8Array(160).fill(0xff));
      }
      desk.press('1');
      const hears = (): boolean => desk.heard.some((frame) => frame[0] === 0x0f);
      for (let n = 0; n < 50 && !hears(); n++) await service.speak(caller, 100);
      assert.ok(hears(), 'The desk does not hear the caller.');
      caller.hangUp();
      await service.until(() => desk.ended);
    },
  },
];
