import { memory } from '@va/storage/memory';
import { silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { DestinationGuard, type MayDial } from '../../../src/calls/limits/destination-guard.ts';
import type { DialPolicy } from '../../../src/domain/numbers/dial-policy.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { orgId, testOperations } from '../../operations/support.ts';

let storage: Storage;
let clock: VirtualClock;

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  await testOperations({ storage }).operations.organizations.create({ id: orgId, name: 'Acme' });
});

function refusal(destination: string, mayDial?: MayDial): Promise<string | null> {
  const guard = new DestinationGuard({ storage, clock, logger: silentLogger, mayDial });
  return guard.refusal({ orgId, callId: 'call', destination, purpose: 'call' });
}

async function setPolicy(dial_policy: DialPolicy): Promise<void> {
  await testOperations({ storage }).operations.organizations.update(orgId, { dial_policy });
}

// Security: with a stolen API key, premium-rate numbers could be called until the trunk refused them.
describe('DestinationGuard', () => {
  it.each(['+31205550100', '+442079460000', 'sip:anna@example.com'])('allows %s by default', async (destination) => {
    expect(await refusal(destination)).toBeNull();
  });

  it.each(['+31909123456', '+449098790000', '+19002345678', 'sip:+19002345678@trunk.example', 'tel:+19002345678'])(
    'refuses the premium-rate number %s unless the organization may call it',
    async (destination) => {
      expect(await refusal(destination)).toContain('premium-rate');
      await setPolicy({ prefixes: null, premium_rate: true });
      expect(await refusal(destination)).toBeNull();
    },
  );

  it('allows only the prefixes of the organization', async () => {
    await setPolicy({ prefixes: ['+31', '+4420'], premium_rate: false });
    expect(await refusal('+31205550100')).toBeNull();
    expect(await refusal('+442079460000')).toBeNull();
    expect(await refusal('+441612345678')).toContain('prefixes');
    expect(await refusal('sip:anna@example.com')).toContain('prefixes');
  });

  it('asks the mayDial hook, and refuses when it denies, fails or times out', async () => {
    const asked: unknown[] = [];
    const mayDial: MayDial = (planned) => {
      asked.push(planned);
      return planned.destination === '+31205550100';
    };
    expect(await refusal('+31205550100', mayDial)).toBeNull();
    expect(await refusal('+31205550101', mayDial)).toBe('The destination is not allowed.');
    expect(asked[0]).toEqual({ orgId, callId: 'call', destination: '+31205550100', purpose: 'call' });
    const broken: MayDial = () => Promise.reject(new Error('broken'));
    expect(await refusal('+31205550100', broken)).toBe('The destination is not allowed.');
    const slow = refusal('+31205550100', () => new Promise(() => {}));
    await clock.advance(5_000);
    expect(await slow).toBe('The destination is not allowed.');
  });
});
