import { memory } from '@va/storage/memory';
import { sampleAgent, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { redeemToken } from '../../src/calls/redeem-token.ts';
import { newToken, tokenHash } from '../../src/calls/token.ts';
import type { WebCallGrantRecord } from '../../src/domain/calls/web-call.ts';
import { uuidv7 } from '../../src/ids.ts';
import type { Storage } from '../../src/ports/storage/storage.ts';
import { organizationOf, orgId } from '../operations/support.ts';
import { samplePublishableKey } from '../support/sample-records.ts';

const random = (count: number): Uint8Array => new Uint8Array(count);
const [callToken, supervisorToken] = [newToken('call', random), newToken('supervision', random)];

let clock: VirtualClock;
let storage: Storage;
let agentId: string;

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  await storage.organizations.insert(orgId, organizationOf(orgId, clock));
  const agent = sampleAgent();
  agentId = agent.id;
  await storage.agents.insert(orgId, agent);
});

/** ISO time in some seconds. */
function inSeconds(seconds: number): string {
  return new Date(clock.wallMs() + seconds * 1_000).toISOString();
}

async function allowCall(changes: Partial<WebCallGrantRecord> = {}): Promise<string> {
  const grant: WebCallGrantRecord = {
    id: uuidv7(clock),
    token_hash: tokenHash(callToken),
    agent_id: agentId,
    variables: null,
    metadata: null,
    publishable_key_id: null,
    origin: null,
    expires_at: inSeconds(60),
    created_at: inSeconds(0),
    ...changes,
  };
  await storage.webCallGrants.insert(orgId, grant);
  return grant.id;
}

async function allowJoining(): Promise<void> {
  await storage.supervisionGrants.insert(orgId, {
    id: uuidv7(clock),
    token_hash: tokenHash(supervisorToken),
    call_id: uuidv7(clock),
    mode: 'listen',
    expires_at: inSeconds(60),
    created_at: inSeconds(0),
  });
}

describe('redeemToken', () => {
  const redeem = (token: string, origin: string | null = null) => redeemToken({ storage, clock }, token, origin);

  it('returns the grant of a token once', async () => {
    const callId = await allowCall();
    expect(await redeem(callToken)).toMatchObject({ callId, agent: { id: agentId }, key: null });
    expect(await redeem(callToken)).toBeNull();
  });

  it('gives the grant to one of concurrent requests', async () => {
    await allowCall();
    const grants = await Promise.all([redeem(callToken), redeem(callToken), redeem(callToken)]);
    expect(grants.filter((grant) => grant !== null)).toHaveLength(1);
  });

  it('returns the grant of a supervisor once', async () => {
    await allowJoining();
    expect(await redeem(supervisorToken)).toMatchObject({ orgId, mode: 'listen' });
    expect(await redeem(supervisorToken)).toBeNull();
  });

  it.each(['', 'no token', callToken, supervisorToken])('returns null for the unknown token "%s"', async (token) => {
    expect(await redeem(token)).toBeNull();
  });

  it('accepts a token until it expires, and not after', async () => {
    await allowCall();
    await allowJoining();
    await clock.advance(60_001);
    expect([await redeem(callToken), await redeem(supervisorToken)]).toEqual([null, null]);
    await allowCall({ token_hash: tokenHash(newToken('call', (count) => new Uint8Array(count).fill(1))) });
    await clock.advance(60_000);
    expect(await redeem(newToken('call', (count) => new Uint8Array(count).fill(1)))).not.toBeNull();
  });

  it('keeps the token of a page when another origin presents it', async () => {
    await allowCall({ origin: 'https://shop.example' });
    expect(await redeem(callToken, 'https://evil.example')).toBeNull();
    expect(await redeem(callToken, null)).toBeNull();
    expect(await redeem(callToken, 'https://shop.example')).not.toBeNull();
  });

  it('returns null when the agent was deleted since', async () => {
    await allowCall();
    await storage.agents.delete(orgId, agentId);
    expect(await redeem(callToken)).toBeNull();
  });

  it.each([
    ['revoked since', { revoked_at: '2026-01-01T09:00:00.000Z' }, false],
    ['no longer for the agent', { agents: [] }, false],
    ['still valid', {}, true],
  ])('checks that the publishable key is %s', async (_what, changes, isAccepted) => {
    const id = uuidv7(clock);
    await storage.publishableKeys.insert(orgId, samplePublishableKey({ id, agents: [agentId], ...changes }));
    await allowCall({ publishable_key_id: id });
    expect((await redeem(callToken)) !== null).toBe(isAccepted);
  });

  it('returns null when the publishable key was deleted since', async () => {
    await allowCall({ publishable_key_id: uuidv7(clock) });
    expect(await redeem(callToken)).toBeNull();
  });
});
