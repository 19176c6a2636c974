import { afterEach } from 'vitest';
import { NoisyCall, type NoisyCallOptions } from './noisy-call.ts';

/** Creates calls that are closed after each test. */
export function noisyCalls(): { ring: (options: NoisyCallOptions) => Promise<NoisyCall> } {
  const calls: NoisyCall[] = [];
  afterEach(async () => {
    for (const call of calls.splice(0)) await call.close();
  });
  return {
    ring: async (options) => {
      const call = await NoisyCall.ring(options);
      calls.push(call);
      return call;
    },
  };
}
