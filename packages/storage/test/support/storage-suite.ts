import { type Agent, ReferenceViolation, type Storage, UniqueViolation } from '@va/core';
import { describe, expect, it } from 'vitest';
import { instant, newAgent, newApiKey, newCall, newId, newNumber, newOrganization } from './records.ts';

const page = { limit: 100, offset: 0 };

/** What the storage port promises; run on every adapter. Each test works in an organization of its own. */
export function storageSuite(adapter: string, storage: () => Storage): void {
  describe(`${adapter}: records`, () => {
    it('gives back every field of an agent as it was stored', async () => {
      const agent = fullAgent();
      const orgId = newId();
      await storage().agents.insert(orgId, agent);
      expect(await storage().agents.get(orgId, agent.id)).toEqual(agent);
    });

    it('keeps the order of the keys of a tool schema', async () => {
      const agent = fullAgent();
      const orgId = newId();
      await storage().agents.insert(orgId, agent);
      const stored = await storage().agents.get(orgId, agent.id);
      expect(JSON.stringify(stored?.llm_config)).toBe(JSON.stringify(agent.llm_config));
    });

    it('gives back every field of a call as it was stored', async () => {
      const call = newCall({
        analysis_result: { interested: true, score: 0.1, nested: { list: [1, null, 'x'] } },
        messages: [{ role: 'assistant', content: 'Hi' }],
        duration_seconds: 61,
        cost: 0.0123,
        latency: { turns: [], total_ms: { p50: 1.25, p95: 3 } },
        answered_at: instant(1),
        end_reason: 'user_hangup',
        agent_id: newId(),
      });
      const orgId = newId();
      await storage().calls.insert(orgId, call);
      expect(await storage().calls.get(orgId, call.id)).toEqual(call);
    });

    it('keeps time to the millisecond, also in summer and before 2000', async () => {
      const orgId = newId();
      for (const at of ['2026-07-01T00:00:00.001Z', '1999-12-31T23:59:59.999Z', '2026-03-29T01:30:00.500Z']) {
        const call = newCall({ created_at: at, ended_at: at });
        await storage().calls.insert(orgId, call);
        expect(await storage().calls.get(orgId, call.id)).toMatchObject({ created_at: at, ended_at: at });
      }
    });

    it('keeps texts of every script, and quotes', async () => {
      const text = 'naïve – 東京 – 👩‍🚀 – \u{10FFFF} – \'";--\\ – \n\t\u0001';
      const orgId = newId();
      const agent = newAgent({ name: text, metadata: { [text]: text } });
      await storage().agents.insert(orgId, agent);
      expect(await storage().agents.get(orgId, agent.id)).toEqual(agent);
    });

    it('replaces what is no text of a database rather than lose the record', async () => {
      const orgId = newId();
      const call = newCall({ summary: 'a\0b', messages: [{ role: 'user', content: 'x\uD800y\0' }] });
      await storage().calls.insert(orgId, call);
      expect(await storage().calls.get(orgId, call.id)).toMatchObject({
        summary: 'a\uFFFDb',
        messages: [{ role: 'user', content: 'x\uFFFDy\uFFFD' }],
      });
    });

    it('keeps a transcript of a megabyte', async () => {
      const orgId = newId();
      const call = newCall({ messages: [{ role: 'user', content: 'é'.repeat(1_000_000) }] });
      await storage().calls.insert(orgId, call);
      expect((await storage().calls.get(orgId, call.id))?.messages[0]?.content).toHaveLength(1_000_000);
    });

    it('shares no object with an earlier answer or with what was given to it', async () => {
      const orgId = newId();
      const agent = newAgent({ metadata: { a: [1] } });
      await storage().agents.insert(orgId, agent);
      agent.metadata = { changed: true };
      const read = await storage().agents.get(orgId, agent.id);
      Object.assign(read ?? {}, { name: 'changed' });
      Object.assign(read?.metadata ?? {}, { a: [2] });
      expect((await storage().agents.get(orgId, agent.id))?.metadata).toEqual({ a: [1] });
    });

    it('refuses an id that is taken', async () => {
      const orgId = newId();
      const agent = newAgent();
      await storage().agents.insert(orgId, agent);
      const error = await storage()
        .agents.insert(orgId, agent)
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UniqueViolation);
      expect(error).toMatchObject({ constraint: 'id' });
    });
  });

  describe(`${adapter}: organizations and keys`, () => {
    it('gives back an organization, alone and in the list', async () => {
      const organization = newOrganization();
      await storage().organizations.insert(organization);
      expect(await storage().organizations.get(organization.id)).toEqual(organization);
      expect(await storage().organizations.list()).toContainEqual(organization);
      expect(await storage().organizations.get(newId())).toBeNull();
    });

    it('finds a key by its hash in any organization, and lists an organization its own, newest first', async () => {
      const orgId = newId();
      const old = newApiKey(orgId);
      const recent = newApiKey(orgId, { created_at: instant(5), scopes: ['calls:read'], expires_at: instant(9) });
      await storage().apiKeys.insert(old);
      await storage().apiKeys.insert(recent);
      expect(await storage().apiKeys.findByHash(recent.hash)).toEqual(recent);
      expect(await storage().apiKeys.findByHash('f'.repeat(64))).toBeNull();
      expect(await storage().apiKeys.list(orgId)).toEqual([recent, old]);
      expect(await storage().apiKeys.list(newId())).toEqual([]);
    });
  });

  describe(`${adapter}: organizations apart`, () => {
    it('shows, changes and deletes nothing of another organization', async () => {
      const [owner, other] = [newId(), newId()];
      const agent = newAgent();
      const number = newNumber();
      const call = newCall();
      await storage().agents.insert(owner, agent);
      await storage().numbers.insert(owner, number);
      await storage().calls.insert(owner, call);

      expect(await storage().agents.get(other, agent.id)).toBeNull();
      expect(await storage().agents.list(other, page)).toEqual([]);
      expect(await storage().agents.update(other, agent.id, { name: 'x' })).toBeNull();
      expect(await storage().agents.delete(other, agent.id)).toBe(false);
      expect(await storage().numbers.get(other, number.id)).toBeNull();
      expect(await storage().numbers.list(other, page)).toEqual([]);
      expect(await storage().numbers.update(other, number.id, { name: 'x' })).toBeNull();
      expect(await storage().numbers.delete(other, number.id)).toBe(false);
      expect(await storage().calls.get(other, call.id)).toBeNull();
      expect(await storage().calls.list(other, {}, page)).toEqual({ calls: [], total: 0 });
      expect(await storage().calls.update(other, call.id, ['queued'], { status: 'ended' })).toBeNull();

      expect(await storage().agents.get(owner, agent.id)).toEqual(agent);
      expect(await storage().numbers.get(owner, number.id)).toEqual(number);
      expect(await storage().calls.get(owner, call.id)).toEqual(call);
    });
  });

  describe(`${adapter}: agents and numbers`, () => {
    it('replaces the given keys of an agent and leaves the others', async () => {
      const orgId = newId();
      const agent = fullAgent();
      await storage().agents.insert(orgId, agent);
      const changes = { name: 'Night desk', llm_config: null, updated_at: instant(7) };
      const expected = { ...agent, ...changes };
      expect(await storage().agents.update(orgId, agent.id, changes)).toEqual(expected);
      expect(await storage().agents.update(orgId, agent.id, {})).toEqual(expected);
      expect(await storage().agents.get(orgId, agent.id)).toEqual(expected);
    });

    it('lists newest first, by id where the time is the same, a page at a time', async () => {
      const orgId = newId();
      const tied = [newAgent({ created_at: instant(2) }), newAgent({ created_at: instant(2) })];
      tied.sort((a, b) => (a.id < b.id ? -1 : 1));
      const agents = [newAgent({ created_at: instant(1) }), ...tied, newAgent({ created_at: instant(3) })];
      for (const agent of agents) await storage().agents.insert(orgId, agent);
      const ids = agents.map(({ id }) => id).reverse();
      expect((await storage().agents.list(orgId, page)).map(({ id }) => id)).toEqual(ids);
      expect((await storage().agents.list(orgId, { limit: 2, offset: 1 })).map(({ id }) => id)).toEqual(
        ids.slice(1, 3),
      );
      expect(await storage().agents.list(orgId, { limit: 2, offset: 4 })).toEqual([]);
    });

    it('registers a number once in the whole deployment', async () => {
      const number = newNumber();
      await storage().numbers.insert(newId(), number);
      const again = newNumber({ number: number.number });
      const error = await storage()
        .numbers.insert(newId(), again)
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UniqueViolation);
      expect(error).toMatchObject({ constraint: 'number' });
    });

    it('finds a number for an inbound call, with its organization', async () => {
      const orgId = newId();
      const number = newNumber();
      await storage().numbers.insert(orgId, number);
      expect(await storage().numbers.findByNumber(number.number)).toEqual({ orgId, number });
      expect(await storage().numbers.findByNumber('+10000000')).toBeNull();
    });

    it('refuses to assign a number to an agent that the organization does not have', async () => {
      const orgId = newId();
      const foreign = newAgent();
      await storage().agents.insert(newId(), foreign);
      const number = newNumber();
      await storage().numbers.insert(orgId, number);
      for (const agentId of [newId(), foreign.id]) {
        const inserted = storage().numbers.insert(orgId, newNumber({ agent_id: agentId }));
        await expect(inserted).rejects.toBeInstanceOf(ReferenceViolation);
        const updated = storage().numbers.update(orgId, number.id, { agent_id: agentId });
        await expect(updated).rejects.toMatchObject({ field: 'agent_id' });
      }
      expect(await storage().numbers.list(orgId, page)).toEqual([number]);
    });

    it('takes an agent off its numbers, and off no others', async () => {
      const orgId = newId();
      const [leaving, staying] = [newAgent(), newAgent()];
      await storage().agents.insert(orgId, leaving);
      await storage().agents.insert(orgId, staying);
      const [a, b] = [newNumber({ agent_id: leaving.id }), newNumber({ agent_id: staying.id })];
      await storage().numbers.insert(orgId, a);
      await storage().numbers.insert(orgId, b);
      await storage().numbers.unassignAgent(orgId, leaving.id, instant(9));
      expect(await storage().numbers.get(orgId, a.id)).toEqual({ ...a, agent_id: null, updated_at: instant(9) });
      expect(await storage().numbers.get(orgId, b.id)).toEqual(b);
    });

    it('leaves no number with an agent that was deleted, and deletes once', async () => {
      const orgId = newId();
      const agent = newAgent();
      await storage().agents.insert(orgId, agent);
      const number = newNumber({ agent_id: agent.id });
      await storage().numbers.insert(orgId, number);
      expect(await storage().agents.delete(orgId, agent.id)).toBe(true);
      expect(await storage().numbers.get(orgId, number.id)).toEqual({ ...number, agent_id: null });
      expect(await storage().agents.delete(orgId, agent.id)).toBe(false);
      expect(await storage().numbers.delete(orgId, number.id)).toBe(true);
      expect(await storage().numbers.delete(orgId, number.id)).toBe(false);
    });
  });

  describe(`${adapter}: calls`, () => {
    it('changes a call only from an expected state', async () => {
      const orgId = newId();
      const call = newCall({ status: 'connecting' });
      await storage().calls.insert(orgId, call);
      expect(await storage().calls.update(orgId, call.id, ['queued'], { status: 'in-progress' })).toBeNull();
      expect(await storage().calls.update(orgId, call.id, [], { status: 'in-progress' })).toBeNull();
      expect((await storage().calls.get(orgId, call.id))?.status).toBe('connecting');
      const moved = await storage().calls.update(orgId, call.id, ['queued', 'connecting'], { status: 'in-progress' });
      expect(moved).toEqual({ ...call, status: 'in-progress' });
    });

    it('lets exactly one of many ends win', async () => {
      const orgId = newId();
      const call = newCall({ status: 'in-progress' });
      await storage().calls.insert(orgId, call);
      const ends = Array.from({ length: 12 }, (_, n) =>
        storage().calls.update(orgId, call.id, ['in-progress'], { status: 'ended', duration_seconds: n }),
      );
      const winners = (await Promise.all(ends)).filter((end) => end !== null);
      expect(winners).toHaveLength(1);
      expect(await storage().calls.get(orgId, call.id)).toEqual(winners[0]);
    });

    it('finds calls by every filter, alone and together, with the total of all pages', async () => {
      const orgId = newId();
      const [agentId, numberId, campaignId] = [newId(), newId(), newId()];
      const calls = [
        newCall({ created_at: instant(1), status: 'ended', end_reason: 'user_hangup', agent_id: agentId }),
        newCall({ created_at: instant(2), status: 'failed', end_reason: 'stt_error', number_id: numberId }),
        newCall({
          created_at: instant(3),
          direction: 'outbound',
          campaign_id: campaignId,
          caller_phone: '+4930123456',
        }),
        newCall({ created_at: instant(4), assistant_phone: '+4930123456' }),
      ];
      for (const call of calls) await storage().calls.insert(orgId, call);
      const found = async (filter: Parameters<Storage['calls']['list']>[1]): Promise<number[]> => {
        const listed = await storage().calls.list(orgId, filter, page);
        expect(listed.total).toBe(listed.calls.length);
        return listed.calls.map(({ id }) => calls.findIndex((call) => call.id === id));
      };
      expect(await found({})).toEqual([3, 2, 1, 0]);
      expect(await found({ statuses: ['ended', 'failed'] })).toEqual([1, 0]);
      expect(await found({ statuses: [] })).toEqual([]);
      expect(await found({ createdFrom: instant(2), createdBefore: instant(4) })).toEqual([2, 1]);
      expect(await found({ agentId })).toEqual([0]);
      expect(await found({ numberId })).toEqual([1]);
      expect(await found({ campaignId })).toEqual([2]);
      expect(await found({ direction: 'outbound' })).toEqual([2]);
      expect(await found({ phone: '+4930123456' })).toEqual([3, 2]);
      expect(await found({ endReason: 'stt_error' })).toEqual([1]);
      expect(await found({ phone: '+4930123456', direction: 'inbound' })).toEqual([3]);
      expect(await storage().calls.list(orgId, {}, { limit: 1, offset: 3 })).toEqual({ calls: [calls[0]], total: 4 });
    });
  });

  describe(`${adapter}: transactions`, () => {
    it('keeps all of a transaction', async () => {
      const orgId = newId();
      const agent = newAgent();
      const number = newNumber({ agent_id: agent.id });
      const result = await storage().transaction(async (tx) => {
        await tx.agents.insert(orgId, agent);
        await tx.numbers.insert(orgId, number);
        return (await tx.numbers.get(orgId, number.id))?.agent_id;
      });
      expect(result).toBe(agent.id);
      expect(await storage().numbers.get(orgId, number.id)).toEqual(number);
    });

    it('keeps nothing of a transaction that throws, and throws what it threw', async () => {
      const orgId = newId();
      const agent = newAgent();
      const failing = storage().transaction(async (tx) => {
        await tx.agents.insert(orgId, agent);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await storage().agents.list(orgId, page)).toEqual([]);
    });

    it('shows nothing of a transaction before it is done', async () => {
      const orgId = newId();
      const agent = newAgent();
      let inserted = (): void => {};
      const insertion = new Promise<void>((resolve) => {
        inserted = resolve;
      });
      let finish = (): void => {};
      const finishing = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const transaction = storage().transaction(async (tx) => {
        await tx.agents.insert(orgId, agent);
        inserted();
        await finishing;
      });
      await insertion;
      const meanwhile = storage().agents.list(orgId, page);
      // An adapter with one connection answers only when it is free, so both ends are let go before either is awaited.
      const seen = await Promise.race([meanwhile, new Promise((resolve) => setTimeout(resolve, 50, 'waits'))]);
      expect(seen === 'waits' || (Array.isArray(seen) && seen.length === 0)).toBe(true);
      finish();
      await transaction;
      await meanwhile;
      expect(await storage().agents.list(orgId, page)).toEqual([agent]);
    });

    it('refuses a transaction inside a transaction', async () => {
      const nested = storage().transaction(() => storage().transaction(async () => {}));
      await expect(nested).rejects.toMatchObject({ code: 'nested_transaction' });
      await expect(storage().transaction(async () => 'next')).resolves.toBe('next');
    });

    it('serves many transactions at once', async () => {
      const orgId = newId();
      const insertions = Array.from({ length: 30 }, () =>
        storage().transaction((tx) => tx.agents.insert(orgId, newAgent())),
      );
      await Promise.all(insertions);
      expect(await storage().agents.list(orgId, page)).toHaveLength(30);
    });
  });

  it(`${adapter}: answers a ping`, async () => {
    await expect(storage().ping()).resolves.toBeUndefined();
  });
}

function fullAgent(): Agent {
  return newAgent({
    business_name: 'Acme',
    notification_email: 'desk@example.com',
    webhook_url: 'https://example.com/hook',
    webhook_events: ['status-update'],
    analysis_plan: { structuredDataPlan: { enabled: true, schema: { type: 'object' }, messages: [] } },
    stt_config: { provider: 'deepgram', language: 'nl' },
    llm_config: {
      provider: 'openai',
      temperature: 0.7,
      messages: [{ role: 'system', content: 'Be brief.' }],
      tools: [
        {
          type: 'function',
          name: 'book',
          description: '',
          parameters: { type: 'object', properties: { when: { type: 'string' }, a: {}, zebra: {}, bee: {} } },
          async: false,
        },
      ],
    },
    tts_config: { provider: 'elevenlabs', voiceId: 'v' },
    metadata: { tier: 1 },
    silence_timeout_seconds: 20,
  });
}
