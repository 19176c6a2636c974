import { describe, expect, it } from 'vitest';
import { refusal } from '../operations/support.ts';
import { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';
import { control, ringTransferring, sales } from '../support/transferring-call.ts';

const { keep } = phoneCalls();
const premium = '+19002345678';

async function withTrunk(options: ConstructorParameters<typeof PhoneCall>[0] = {}): Promise<PhoneCall> {
  const vault = { put: async () => {}, get: async () => 'hunter22', delete: async () => true };
  const call = keep(new PhoneCall({ ...options, service: { vault, ...options.service } }));
  await call.prepare();
  const { operations } = call.va;
  const [number] = await operations.numbers.list(call.orgId);
  const address = { provider: 'acme', address: 'sip.example.com', auth_username: 'a', auth_password: 'hunter22' };
  await operations.trunks.create(call.orgId, { name: 'Main', ...address, numbers: [number?.number ?? ''] });
  return call;
}

// Security: with a stolen API key, any number could be called or transferred to until the trunk refused it.
describe('destinations that are not allowed', () => {
  it('are refused for outbound calls, without dialing', async () => {
    const call = await withTrunk({
      service: { calls: { mayDial: ({ destination }) => destination !== '+31687654321' } },
    });
    for (const destination of [premium, '+31687654321']) {
      const placing = call.va.operations.calls.place(call.orgId, { destination, agent_id: call.agent?.id });
      expect(await refusal(placing)).toMatchObject({ status: 403, code: 'destination_not_allowed' });
    }
    await call.nothing(100);
    expect(call.telephony.dialed).toEqual([]);
  });

  it('are refused for transfer commands, without dialing', async () => {
    const { call, leg } = await ringTransferring(keep);
    await call.quiet(2_000);
    await Promise.all([control(call, { destination: premium }), call.quiet(5_000)]);
    expect(leg.transfers).toEqual([]);
    await Promise.all([control(call, { destination: sales }), call.quiet(5_000)]);
    expect(leg.transfers.map(({ destination }) => destination)).toEqual([sales]);
    call.incoming.leave();
  });
});
