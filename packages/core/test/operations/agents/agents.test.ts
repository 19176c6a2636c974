import { scriptedLlm, scriptedRealtime, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations, unknownId } from '../support.ts';

const tools = (...written: readonly object[]) => ({ llm_config: { provider: 'scripted', tools: written } });
const transfer = (...destinations: readonly object[]) => tools({ type: 'transferCall', destinations });

describe('creating an agent', () => {
  it('requires only a name, and generates a webhook secret of 32 bytes', async () => {
    const { operations, storage } = testOperations();
    const agent = await operations.agents.create(orgId, { name: ' Reception ' });
    expect(agent).toMatchObject({ name: 'Reception', is_active: true, max_duration_seconds: 600, stt_config: null });
    expect(agent.created_at).toBe('2026-01-01T09:00:00.000Z');
    const [prefix, key] = agent.webhook_secret.split('_');
    expect([prefix, Buffer.from(key ?? '', 'base64').length]).toEqual(['whsec', 32]);
    expect(await storage.agents.get(orgId, agent.id)).toMatchObject(agent);
    const second = await operations.agents.create(orgId, { name: 'B' });
    expect(second.webhook_secret).not.toBe(agent.webhook_secret);
  });

  it('stores the given fields and fills in the defaults of nested settings', async () => {
    const { operations } = testOperations();
    const agent = await operations.agents.create(orgId, {
      name: 'A',
      webhook_secret: 'mine',
      speech_config: { vad: { start_threshold: 0.6 } },
      llm_config: { provider: 'openai', own_setting: 1 },
    });
    expect(agent.webhook_secret).toBe('mine');
    expect(agent.speech_config?.vad).toMatchObject({ start_threshold: 0.6, min_silence_ms: 200 });
    expect(agent.llm_config).toEqual({ provider: 'openai', own_setting: 1, messages: [], tools: [] });
  });

  it('refuses providers that are not registered, on update too', async () => {
    const providers = [scriptedStt(), scriptedLlm([]), scriptedTts()];
    const { operations } = testOperations({ providers });
    const config = (provider: string, ...names: string[]) => ({
      provider,
      fallbacks: names.map((each) => ({ provider: each })),
    });
    const written = {
      stt_config: config('not-there-yet', 'scripted'),
      llm_config: config('scripted', 'scripted', 'gone'),
      tts_config: config('scripted', 'elsewhere'),
      speech_config: { languages: [{ language: 'nl', tts_config: config('nobody') }] },
      analysis_plan: { llm_config: { provider: 'gone' } },
    };
    const refused = await refusal(operations.agents.create(orgId, { name: 'A', ...written }));
    expect(faultsOf(refused)).toEqual([
      'stt_config.provider invalid_reference',
      'llm_config.fallbacks.1.provider invalid_reference',
      'tts_config.fallbacks.0.provider invalid_reference',
      'speech_config.languages.0.tts_config.provider invalid_reference',
      'analysis_plan.llm_config.provider invalid_reference',
    ]);
    expect(refused.message).toContain('there is no stt provider not-there-yet; there are: scripted');
    const { id } = await operations.agents.create(orgId, { name: 'A' });
    expect(faultsOf(await refusal(operations.agents.update(orgId, id, written)))).toHaveLength(5);
    for (const unchecked of [testOperations(), testOperations({ providers, checksProviders: false })]) {
      expect(await unchecked.operations.agents.create(orgId, { name: 'A', ...written })).toMatchObject(written);
    }
  });

  it.each([
    [{ stt_config: { provider: 'scripted', langage: 'en' } }, 'stt_config.langage unknown_field'],
    [{ tts_config: { provider: 'scripted', voice_id: 'x' } }, 'tts_config.voice_id unknown_field'],
    [{ llm_config: { provider: 'scripted', temprature: 1 } }, 'llm_config.temprature unknown_field'],
    [{ speech_config: { vadd: {} } }, 'speech_config.vadd unknown_field'],
    [{ speech_config: { endpointing: { min_delay: 3 } } }, 'speech_config.endpointing.min_delay unknown_field'],
    [{ analysis_plan: { structured_data_plan: {} } }, 'analysis_plan.structured_data_plan unknown_field'],
    [tools({ type: 'function', name: 'a', urll: 'https://x.example/' }), 'llm_config.tools.0.urll unknown_field'],
    [tools({ type: 'function', name: 'a', asyn: true }), 'llm_config.tools.0.asyn unknown_field'],
    [
      tools({ type: 'function', function: { name: 'a', strict: true } }),
      'llm_config.tools.0.function.strict unknown_field',
    ],
    [{ webhook_events: ['bogus-event'] }, 'webhook_events.0 invalid_field'],
    [{ webhook_events: ['assistant_request'] }, 'webhook_events.0 invalid_field'],
    [transfer({ type: 'number', number: '12' }), 'llm_config.tools.0.destinations.0.number invalid_field'],
    [transfer({ type: 'sip', number: 'desk' }), 'llm_config.tools.0.destinations.0.number invalid_field'],
    [tools({ type: 'function', name: 'a', url: 'ftp://x/y' }), 'llm_config.tools.0.url invalid_field'],
    [tools({ type: 'function', name: 'a' }, { type: 'function', name: 'a' }), 'llm_config.tools.1.name invalid_field'],
    [tools({ type: 'function', name: 'endCall' }), 'llm_config.tools.0.name invalid_field'],
    [
      { analysis_plan: { structuredDataPlan: { enabled: true, schema: { type: 'nonsense' } } } },
      'analysis_plan.structuredDataPlan.schema.type invalid_field',
    ],
    [
      tools({ type: 'function', name: 'a', parameters: { type: 'object', properties: 5 } }),
      'llm_config.tools.0.parameters.properties invalid_field',
    ],
  ])('refuses %j', async (written, fault) => {
    const { operations } = testOperations({ providers: [scriptedStt(), scriptedLlm([]), scriptedTts()] });
    expect(faultsOf(await refusal(operations.agents.create(orgId, untyped({ name: 'A', ...written }))))).toContain(
      fault,
    );
  });

  it('lists the accepted types when the type of a tool is unknown', async () => {
    const { operations } = testOperations();
    const error = await refusal(operations.agents.create(orgId, untyped({ name: 'A', ...tools({ type: 'nothing' }) })));
    expect(error.message).toBe(
      'llm_config.tools.0.type: expected one of endCall, transferCall, pressKeys, host, mcp, function',
    );
  });

  it('refuses settings that speech-to-speech models do not support', async () => {
    const { operations } = testOperations({ providers: [scriptedRealtime(), scriptedLlm([])] });
    const llm_config = { provider: 'scripted_realtime', fallbacks: [{ provider: 'scripted' }] };
    const speech_config = { languages: [{ language: 'nl' }] };
    const error = await refusal(operations.agents.create(orgId, { name: 'A', llm_config, speech_config }));
    expect([error.status, error.code]).toEqual([422, 'not_supported_in_realtime']);
    expect(faultsOf(error)).toEqual([
      'llm_config.fallbacks not_supported_in_realtime',
      'speech_config.languages not_supported_in_realtime',
    ]);
  });

  it('reports every invalid field at once', async () => {
    const { operations } = testOperations();
    const error = await refusal(
      operations.agents.create(
        orgId,
        untyped({
          nmae: 'x',
          webhook_url: 'ftp://example.com',
          notification_email: 'nobody',
          max_duration_seconds: 5,
          llm_config: { provider: 'x', tools: [{ type: 'endCall' }, { type: 'transferCall' }, { type: 'nothing' }] },
        }),
      ),
    );
    expect([error.status, error.code]).toEqual([400, 'missing_field']);
    expect(faultsOf(error).sort()).toEqual([
      'llm_config.tools.1.destinations missing_field',
      'llm_config.tools.2.type invalid_field',
      'max_duration_seconds invalid_field',
      'name missing_field',
      'nmae unknown_field',
      'notification_email invalid_field',
      'webhook_url invalid_field',
    ]);
  });

  it('accepts the nested and the flat form of a function tool', async () => {
    const { operations } = testOperations();
    const nested = {
      type: 'function' as const,
      function: { name: 'a', parameters: { type: 'object' } },
      server: { url: 'https://x.example/' },
    };
    const flat = { type: 'function' as const, name: 'b', url: 'https://x.example/' };
    const agent = await operations.agents.create(orgId, {
      name: 'A',
      llm_config: { provider: 'x', tools: [nested, flat] },
    });
    expect(agent.llm_config?.tools).toMatchObject([
      { name: 'a', server: { url: 'https://x.example/' }, async: false },
      { name: 'b', server: { url: 'https://x.example/' }, async: false },
    ]);
  });

  it.each([[undefined], [null], [[]], ['{}'], [7]])('refuses %j as a body', async (input) => {
    const { operations } = testOperations();
    const error = await refusal(operations.agents.create(orgId, untyped(input)));
    expect([error.status, faultsOf(error)]).toEqual([400, ['invalid_field']]);
  });

  it.each([
    ['U+0000', { name: 'a\0' }, 'name'],
    ['a lone surrogate', { name: 'A', metadata: { deep: ['\uDC00'] } }, 'metadata.deep.0'],
    ['U+0000 in a key', { name: 'A', metadata: { 'a\0': 1 } }, 'metadata'],
  ])('refuses %s, which databases cannot store', async (_name, input, path) => {
    const { operations } = testOperations();
    const error = await refusal(operations.agents.create(orgId, untyped(input)));
    expect(faultsOf(error)).toEqual([`${path} invalid_field`]);
  });

  it('refuses a deeply nested body without a stack overflow', async () => {
    const { operations } = testOperations();
    let metadata: Record<string, unknown> = {};
    for (let depth = 0; depth < 100_000; depth += 1) metadata = { a: metadata };
    const error = await refusal(operations.agents.create(orgId, { name: 'A', metadata }));
    expect(error.message).toMatch(/deeper than 64/);
  });
});

describe('updating an agent', () => {
  it('changes only the given fields, replaces nested settings as a whole and clears a field by null', async () => {
    const { operations, clock } = testOperations();
    const agent = await operations.agents.create(orgId, {
      name: 'A',
      first_message: 'Hi',
      llm_config: { provider: 'openai', model: 'm', temperature: 1 },
      metadata: { a: 1 },
    });
    await clock.advance(5);
    const changed = await operations.agents.update(orgId, agent.id, { llm_config: { provider: 'x' }, metadata: null });
    expect(changed).toEqual({
      ...agent,
      llm_config: { provider: 'x', messages: [], tools: [] },
      metadata: null,
      updated_at: '2026-01-01T09:00:00.005Z',
    });
    expect(await operations.agents.get(orgId, agent.id)).toEqual(changed);
  });

  it('refuses null for required fields, and read-only fields', async () => {
    const { operations } = testOperations();
    const { id } = await operations.agents.create(orgId, { name: 'A' });
    const error = await refusal(operations.agents.update(orgId, id, untyped({ name: null, is_active: null, id: 'x' })));
    expect(faultsOf(error).sort()).toEqual(['id unknown_field', 'is_active invalid_field', 'name invalid_field']);
  });
});

describe('deleting an agent', () => {
  it('unassigns it from its phone numbers and leaves other numbers alone', async () => {
    const { operations, clock } = testOperations();
    const [leaving, staying] = [
      await operations.agents.create(orgId, { name: 'A' }),
      await operations.agents.create(orgId, { name: 'B' }),
    ];
    const a = await operations.numbers.register(orgId, { phone_number: '+31205550101', agent_id: leaving.id });
    const b = await operations.numbers.register(orgId, { phone_number: '+31205550102', agent_id: staying.id });
    await clock.advance(1);
    await operations.agents.delete(orgId, leaving.id);
    expect(await operations.numbers.get(orgId, a.id)).toMatchObject({
      agent_id: null,
      agent_name: null,
      updated_at: '2026-01-01T09:00:00.001Z',
    });
    expect((await operations.numbers.get(orgId, b.id)).agent_name).toBe('B');
  });
});

describe('an unknown agent', () => {
  it.each([unknownId, '', 'x', '../1', `${unknownId}0`])('returns 404 for the id %j', async (id) => {
    const { operations } = testOperations();
    for (const work of [
      operations.agents.get(orgId, id),
      operations.agents.update(orgId, id, {}),
      operations.agents.delete(orgId, id),
    ]) {
      expect(await refusal(work)).toMatchObject({ status: 404, code: 'agent_not_found' });
    }
  });

  it('includes agents of other organizations', async () => {
    const { operations } = testOperations();
    const { id } = await operations.agents.create(otherOrgId, { name: 'A' });
    expect(await refusal(operations.agents.get(orgId, id))).toMatchObject({ code: 'agent_not_found' });
    expect(await refusal(operations.agents.delete(orgId, id))).toMatchObject({ code: 'agent_not_found' });
    expect((await operations.agents.get(otherOrgId, id)).name).toBe('A');
  });
});

describe('listing agents', () => {
  it('returns all agents, newest first, or the requested page', async () => {
    const { operations, clock } = testOperations();
    for (const name of ['A', 'B', 'C']) {
      await operations.agents.create(orgId, { name });
      await clock.advance(1);
    }
    const names = async (query?: unknown): Promise<string[]> =>
      (await operations.agents.list(orgId, untyped(query))).map(({ name }) => name);
    expect(await names()).toEqual(['C', 'B', 'A']);
    expect(await names({ limit: '1', offset: '1' })).toEqual(['B']);
    expect(await refusal(names({ limit: '1001' }))).toMatchObject({ status: 400, code: 'invalid_field' });
    expect(await refusal(names({ page: '2' }))).toMatchObject({ status: 400, code: 'unknown_field' });
  });
});

describe('the secrets of an agent', () => {
  const server = { url: 'https://tool.example/run', secret: 'tool-secret' };
  const tool = { type: 'function', name: 'run', server } as const;

  it('keeps a replaced webhook secret for a day without returning it', async () => {
    const { operations, storage, clock } = testOperations();
    const { id, webhook_secret: first } = await operations.agents.create(orgId, { name: 'A' });
    const updated = await operations.agents.update(orgId, id, { webhook_secret: 'second' });
    expect(Object.keys(updated).filter((key) => key.includes('previous'))).toEqual([]);
    const expiresAt = new Date(clock.wallMs() + 24 * 3_600_000).toISOString();
    const previous = { webhook_previous_secret: first, webhook_previous_secret_expires_at: expiresAt };
    expect(await storage.agents.get(orgId, id)).toMatchObject(previous);
    await clock.advance(1_000);
    await operations.agents.update(orgId, id, { webhook_secret: 'second', name: 'B' });
    expect(await storage.agents.get(orgId, id)).toMatchObject(previous);
  });

  it('never returns the secrets of tools, and keeps each one while its tool keeps the URL', async () => {
    const { operations, storage } = testOperations();
    const agent = await operations.agents.create(orgId, { name: 'A', llm_config: { provider: 'x', tools: [tool] } });
    const shown = [{ ...tool, server: { url: tool.server.url } }];
    expect(agent.llm_config?.tools).toMatchObject(shown);
    const all = [agent, await operations.agents.get(orgId, agent.id), ...(await operations.agents.list(orgId))];
    const updated = await operations.agents.update(orgId, agent.id, { llm_config: agent.llm_config });
    expect(JSON.stringify([...all, updated])).not.toContain('tool-secret');
    const stored = async (): Promise<unknown> => (await storage.agents.get(orgId, agent.id))?.llm_config?.tools[0];
    expect(await stored()).toMatchObject({ server: tool.server });
    const moved = { ...tool, server: { url: 'https://other.example/run' } };
    await operations.agents.update(orgId, agent.id, { llm_config: { provider: 'x', tools: [moved] } });
    expect(await stored()).toMatchObject({ server: { url: 'https://other.example/run' } });
    expect(JSON.stringify(await stored())).not.toContain('tool-secret');
  });
});

describe('clips of an agent', () => {
  it('must be among those of the host', async () => {
    const clips = { has: (name: string): boolean => name === 'waltz' };
    const { operations } = testOperations({ clips });
    const speech_config = { hold: { clip: 'waltz' }, ambient: { clip: 'rain' } };
    const told = await refusal(operations.agents.create(orgId, { name: 'Anna', speech_config }));
    expect(faultsOf(told)).toEqual(['speech_config.ambient.clip invalid_reference']);
    const agent = await operations.agents.create(orgId, { name: 'Anna', speech_config: { hold: { clip: 'waltz' } } });
    expect(agent.speech_config?.hold).toEqual({ clip: 'waltz', volume: 0.3 });
  });
});
