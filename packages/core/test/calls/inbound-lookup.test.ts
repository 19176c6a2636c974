import type { Storage, Telephony, TelephonyHost } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import { dialedNumber, ScriptedIncomingCall } from '@va/testkit';
import { expect, it } from 'vitest';
import { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { keep } = phoneCalls();

/** A storage that counts the lookups of numbers. */
function countingStorage(): { readonly storage: Storage; lookups(): number } {
  let lookups = 0;
  const storage = memory();
  const { numbers } = storage.across;
  const counted = {
    ...storage.across,
    numbers: {
      ...numbers,
      find: (...given: Parameters<typeof numbers.find>) => {
        lookups += 1;
        return numbers.find(...given);
      },
    },
  };
  return { storage: Object.assign(storage, { across: counted }), lookups: () => lookups };
}

class AskingTelephony implements Telephony {
  readonly id = 'asking';
  host: TelephonyHost | null = null;

  async start(host: TelephonyHost): Promise<void> {
    this.host = host;
  }

  async close(): Promise<void> {}
}

it('an inbound call does not look up a number again that the adapter has already resolved', async () => {
  const { storage, lookups } = countingStorage();
  const telephony = new AskingTelephony();
  const call = keep(new PhoneCall({ service: { storage, telephony: [telephony] } }));
  await call.prepare();
  const { host } = telephony;
  const [dialed] = (await host?.numbersOf?.(dialedNumber)) ?? [];
  expect([dialed?.trunks, lookups()]).toEqual([[], 1]);
  const incoming = Object.assign(new ScriptedIncomingCall({ to: dialedNumber }), { dialed });
  host?.onIncomingCall(incoming);
  await call.quiet(2_000);
  expect([incoming.answered, lookups()]).toEqual([true, 1]);
  expect(await host?.numbersOf?.('+31999999999')).toEqual([]);
});
