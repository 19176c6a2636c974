import { aesVault } from '@va/core';
import { systemRandom } from '@va/core/adapter';
import { createSipCaller } from '@va/testkit/sip-caller';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentNumber, startService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeEach(async () => {
  service = await startService({ inbound: 'trunks', vault: aesVault({ key: systemRandom(32) }) });
});
afterEach(() => service.close());

async function trunk(address: string, more: Record<string, unknown> = {}): Promise<void> {
  await service.va.operations.trunks.create(service.orgId, { name: 'Acme', provider: 'acme', address, ...more });
}

async function agentId(): Promise<string> {
  const [agent] = await service.va.operations.agents.list(service.orgId, {});
  return agent?.id ?? '';
}

/** Returns the status of a call from 127.0.0.1: 200, or the status of its rejection. */
async function call(uri = service.uri()): Promise<string> {
  try {
    const answered = await createSipCaller().dial(uri);
    await answered.hangup();
    return '200';
  } catch (error) {
    return /: (\d{3}) /.exec(String(error))?.[1] ?? String(error);
  }
}

describe('a service that accepts calls only from trunks', () => {
  it('answers a call from the address of an active trunk', async () => {
    await trunk('127.0.0.1:5090');
    expect(await call()).toBe('200');
  });

  it('resolves the host name of a trunk', async () => {
    await trunk('localhost');
    expect(await call()).toBe('200');
  });

  it('rejects calls from other addresses without a record', async () => {
    expect(await call()).toBe('401');
    await trunk('127.0.0.2');
    expect(await call()).toBe('401');
    await trunk('127.0.0.1', { is_active: false });
    expect(await call()).toBe('401');
    expect(await service.va.operations.calls.list(service.orgId, {})).toMatchObject({ calls: [] });
  });

  it('accepts calls from the trunk of an organization only to its own numbers', async () => {
    const other = await service.va.operations.organizations.create({ name: 'Other' });
    await service.va.operations.trunks.create(other.id, { name: 'Theirs', provider: 'acme', address: '127.0.0.1' });
    expect(await call()).toBe('401');
  });

  it('reveals only to trunk addresses that a number is not registered', async () => {
    const unknown = `sip:+31999999999@127.0.0.1:${service.port('udp')}`;
    expect(await call(unknown)).toBe('401');
    await trunk('127.0.0.1');
    expect(await call()).toBe('200');
    expect(await call(unknown)).toBe('404');
  });

  it.each(['31201111111', '0031201111111', '0201111111', '%2B31201111111'])(
    'answers a registered number dialed as %s',
    async (dialed) => {
      const number = { phone_number: '+31201111111', agent_id: await agentId() };
      await service.va.operations.numbers.register(service.orgId, number);
      await trunk('127.0.0.1');
      expect(await call(`sip:${dialed}@127.0.0.1:${service.port('udp')}`)).toBe('200');
      const { calls } = await service.va.operations.calls.list(service.orgId, {});
      expect(calls).toMatchObject([{ assistant_phone: '+31201111111' }]);
    },
  );

  it('rejects a national number that matches numbers of two countries', async () => {
    for (const phone_number of ['+31201111111', '+49201111111']) {
      await service.va.operations.numbers.register(service.orgId, { phone_number, agent_id: await agentId() });
    }
    await trunk('127.0.0.1');
    expect(await call(`sip:0201111111@127.0.0.1:${service.port('udp')}`)).toBe('401');
  });

  it('challenges callers with credentials, and accepts valid ones', async () => {
    const credentials = { auth_username: 'acme', auth_password: 'hunter22' };
    await trunk('127.0.0.2', credentials);
    expect(await call()).toBe('401');
    const placing = await startService({ vault: aesVault({ key: systemRandom(32) }) });
    try {
      const { operations } = placing.va;
      const [number] = await operations.numbers.list(placing.orgId);
      const [agent] = await operations.agents.list(placing.orgId, {});
      const dial = async (auth_password: string): Promise<void> => {
        const created = await operations.trunks.create(placing.orgId, {
          ...{
            name: 'Way',
            provider: 'acme',
            address: `127.0.0.1:${service.port('udp')}`,
            numbers: [number?.number ?? ''],
          },
          ...{ ...credentials, auth_password },
        });
        await operations.calls.place(placing.orgId, { destination: agentNumber, agent_id: agent?.id ?? '' });
        await expect.poll(() => placing.calls.length + service.va.activeCalls).toBeGreaterThan(0);
        await operations.trunks.delete(placing.orgId, created.id);
      };
      await dial('wrong');
      expect(await placing.ended(1)).toMatchObject({ end_reason: 'dial_failed', error: '401 Unauthorized' });
      placing.calls.length = 0;
      await dial('hunter22');
      await expect.poll(() => service.va.activeCalls).toBe(1);
    } finally {
      await placing.close();
    }
  });
});
