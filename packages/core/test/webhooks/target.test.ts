import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { timestamp } from '../../src/clock/timestamp.ts';
import { webhookTarget } from '../../src/webhooks/target.ts';
import { orgId, testOperations } from '../operations/support.ts';

const url = 'https://customer.example/hook';

describe('webhookTarget', () => {
  it('returns the previous secret for one day after a change', async () => {
    const { operations, storage, clock } = testOperations();
    await operations.organizations.create({ id: orgId, name: 'Acme', webhook_url: url, webhook_secret: 'first' });
    await operations.organizations.update(orgId, { webhook_secret: 'second' });
    await operations.organizations.update(orgId, { webhook_secret: 'second', name: 'Acme BV' });
    const target = async () => {
      const organization = await storage.organizations.get(orgId, orgId);
      return webhookTarget({ organization, agent: null, now: timestamp(clock) });
    };
    expect(await target()).toEqual({ url, secret: 'second', previousSecret: 'first' });
    await clock.advance(24 * 3_600_000 + 1);
    expect(await target()).toEqual({ url, secret: 'second', previousSecret: null });
  });

  it('returns the secret of the organization for agents without a webhook_url', async () => {
    const { operations, storage, clock } = testOperations();
    await operations.organizations.create({ id: orgId, name: 'Acme', webhook_url: url, webhook_secret: 'shared' });
    const organization = await storage.organizations.get(orgId, orgId);
    const agent = await operations.agents.create(orgId, { name: 'Anna', webhook_secret: 'own' });
    const now = timestamp(clock);
    expect(webhookTarget({ organization, agent, now })).toMatchObject({ url, secret: 'shared' });
    const withServer = { ...agent, webhook_url: 'https://agent.example/hook' };
    expect(webhookTarget({ organization, agent: withServer, now })).toMatchObject({ secret: 'own' });
  });

  it('returns the generated secret until the host sets one, and as previous secret for one day', async () => {
    const { operations, storage } = testOperations();
    const made = await operations.organizations.create({ id: orgId, name: 'Acme', webhook_url: url });
    const generated = made.webhook_secret;
    expect(generated).toMatch(/^whsec_[\w+/]{43}=$/);
    await operations.organizations.update(orgId, { webhook_secret: 'first' });
    const organization = await storage.organizations.get(orgId, orgId);
    const now = timestamp(new VirtualClock());
    expect(webhookTarget({ organization, agent: null, now })).toEqual({
      ...{ url, secret: 'first' },
      previousSecret: generated,
    });
  });
});
