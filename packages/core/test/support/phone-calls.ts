import { afterEach } from 'vitest';
import { expectDescribed } from './described-events.ts';
import { PhoneCall, type PhoneCallOptions } from './phone-call.ts';

/**
 * Creates the calls of a test file. After each test, its calls are closed, and their stored events are validated
 * against their schemas.
 */
export function phoneCalls(): {
  ring: (options?: PhoneCallOptions) => Promise<PhoneCall>;
  keep: (call: PhoneCall) => PhoneCall;
} {
  const calls: PhoneCall[] = [];
  afterEach(async () => {
    for (const call of calls.splice(0)) {
      await call.close();
      expectDescribed(call.events);
    }
  });
  const keep = (call: PhoneCall): PhoneCall => {
    calls.push(call);
    return call;
  };
  return { keep, ring: async (options = {}) => keep(await PhoneCall.ring(options)) };
}
