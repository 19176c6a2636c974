import { randomBytes } from 'node:crypto';
import { deepgram } from '@va/providers/deepgram';
import { elevenlabs } from '@va/providers/elevenlabs';
import { openai } from '@va/providers/openai';
import { callerFrame } from '@va/testkit';
import { DeepgramServer, ElevenLabsServer } from '@va/testkit/provider-servers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { defaultLogger } from '../../packages/core/src/node/default-logger.ts';
import { refusalsOfInput } from './contract/refusals-of-input.ts';
import { refusalsOfState } from './contract/refusals-of-state.ts';
import { methodOf, pathOf, type Row } from './contract/row.ts';
import { rows } from './contract/rows/all.ts';
import { EchoingProvider } from './secrets/echoing-provider.ts';
import { formsOf, type Place, placesOf, planted } from './secrets/planted-secrets.ts';
import { type Api, openApi, scriptedProviders } from './support/api.ts';
import { memoryStorage, postgresStorage } from './support/storages.ts';
import type { Tenant } from './support/tenant.ts';

const secrets = {
  vaultKey: randomBytes(32),
  resendKey: planted('re_'),
  hostKey: planted('host-'),
  byokKey: planted('sk-'),
  trunkPassword: planted('trunk-'),
  webhookSecret: planted('whsec_'),
  toolSecret: planted('tool-'),
};

/** Responses with agents contain the webhook secret; records and stored responses contain it encrypted. */
const agentPlaces = /^(answer to (GET|POST|PATCH) \/agents|answer to .*\/api\/v1\/agents)/;

describe.each([memoryStorage, postgresStorage])('secrets on $name', (kind) => {
  const places: Place[] = [];
  const keys: string[] = [];
  let api: Api;
  let model: EchoingProvider;
  let recognizer: DeepgramServer;
  let synthesizer: ElevenLabsServer;

  beforeAll(async () => {
    [model, recognizer, synthesizer] = [
      await EchoingProvider.start(),
      // Many transcripts, because speech during the greeting is not a user turn.
      await DeepgramServer.start({ turns: Array.from({ length: 100 }, () => 'hello') }),
      await ElevenLabsServer.start(),
    ];
    const logger = Object.assign(defaultLogger({ write: (line) => places.push(['the log', line]) }), {
      level: 'trace',
    });
    api = await openApi(kind, {
      logger,
      vaultKey: secrets.vaultKey,
      resendKey: secrets.resendKey,
      providers: [
        deepgram({ apiKey: secrets.hostKey, baseUrl: recognizer.url }),
        openai({ apiKey: secrets.hostKey, baseURL: model.url }),
        elevenlabs({ apiKey: secrets.hostKey, baseUrl: synthesizer.url }),
        ...scriptedProviders()
          .flat()
          .filter(({ id }) => !['deepgram', 'openai', 'elevenlabs'].includes(id)),
      ],
      onReply: ({ method, path }, { text, headers }) => {
        places.push([
          `answer to ${method} ${path.replace(/\/[0-9a-f-]{36}/g, '/{id}')}`,
          `${JSON.stringify(headers)} ${text}`,
        ]);
      },
    });
    await wholeRun();
    places.push(...(await api.dump()).map(([column, value]): Place => [`database ${column}`, value]));
    places.push(...api.customer.received.map((each): Place => ['a webhook', JSON.stringify(each)]));
  }, 300_000);

  afterAll(async () => {
    await api.close();
    await Promise.all([model.close(), recognizer.close(), synthesizer.close()]);
  });

  async function newTenant(): Promise<Tenant> {
    const tenant = await api.tenant();
    keys.push(tenant.key);
    return tenant;
  }

  async function plantedTenant(): Promise<Tenant> {
    const tenant = await newTenant();
    await plant(tenant);
    return tenant;
  }

  /** Runs every operation, every error, and calls that fail in every way that involves a secret. */
  async function wholeRun(): Promise<void> {
    await runEachRow();
    for (const { provoke } of [...refusalsOfInput, ...refusalsOfState]) {
      const tenant = await newTenant();
      const provoked = await provoke(tenant).catch(() => null);
      if (provoked !== null) await tenant.send(provoked.method, provoked.path, provoked);
    }
    await issueKeys();
    await callOnKeysThatAreRefused();
    await callOnBrokenSecrets();
  }

  /**
   * Runs every row in an organization with planted secrets. Rows share one, except after a row that may have deleted
   * secrets, and where records of earlier rows are in the way.
   */
  async function runEachRow(): Promise<void> {
    let tenant = await plantedTenant();
    for (const row of rows) {
      if (!(await isAnswered(row, tenant))) {
        tenant = await plantedTenant();
        expect(await isAnswered(row, tenant), `${row.operation} ${row.title}`).toBe(true);
      }
      if (methodOf(row) === 'DELETE') tenant = await plantedTenant();
    }
  }

  /** Sends the request of a row twice. Returns true if it got the response that the row describes. */
  async function isAnswered(row: Row, tenant: Tenant): Promise<boolean> {
    const request = await row.request(tenant).catch(() => null);
    if (request === null) return false;
    const headers = { ...request.headers, 'idempotency-key': row.title };
    const first = await tenant.send(methodOf(row), pathOf(row, request), { ...request, headers });
    await tenant.send(methodOf(row), pathOf(row, request), { ...request, headers });
    return first.status === row.status;
  }

  async function plant(tenant: Tenant): Promise<void> {
    await tenant.ok('POST', '/byok', { provider: 'openai', api_key: secrets.byokKey });
    await tenant.ok('POST', '/byok', { provider: 'xai', api_key: ` ${secrets.byokKey} ` });
    await tenant.send('POST', '/byok', { json: { provider: 'acme', api_key: secrets.byokKey } });
    await tenant.send('POST', '/byok', { json: { provider: 'openai', api_key: [secrets.byokKey] } });
    const trunk = await tenant.newTrunk({ auth_password: secrets.trunkPassword });
    await tenant.ok('PATCH', `/sip-trunks/${trunk.id}`, { auth_password: `${secrets.trunkPassword}2` });
    await tenant.send('PATCH', `/sip-trunks/${trunk.id}`, { json: { auth_password: { of: secrets.trunkPassword } } });
    const server = { url: api.customer.url, secret: secrets.toolSecret };
    const tools = [{ type: 'function', name: 'look_up', server }];
    const speech = { stt_config: { provider: 'deepgram' }, tts_config: { provider: 'elevenlabs' } };
    const agent = await tenant.newAgent({
      webhook_secret: secrets.webhookSecret,
      ...speech,
      llm_config: { provider: 'openai', tools },
    });
    await tenant.send('POST', `/agents/${agent.id}/webhook/test`);
    await tenant.send('PATCH', `/agents/${agent.id}`, { json: { webhook_secret: 7, llm_config: { tools } } });
    const line = await tenant.newLine();
    const inline = {
      webhook_secret: secrets.webhookSecret,
      webhook_url: api.customer.url,
      ...speech,
      llm_config: { provider: 'openai', tools },
    };
    const destination = { destination: '+31201234567', number_id: line.number.id };
    await tenant.ok('POST', '/calls/outbound', { ...destination, agent: inline });
    await tenant.ok('POST', '/calls/outbound', { ...destination, agent_id: agent.id });
  }

  async function issueKeys(): Promise<void> {
    const tenant = await newTenant();
    const headers = { 'idempotency-key': 'one' };
    for (const _ of [1, 2]) {
      const { body } = await tenant.send('POST', '/api-keys', { json: { name: 'Issued' }, headers });
      keys.push(body.secret);
    }
    const { secret, api_key } = await tenant.ok('POST', '/api-keys', { name: 'Gone' });
    keys.push(secret);
    await tenant.ok('DELETE', `/api-keys/${api_key.id}`);
    await tenant.send('GET', '/agents', { key: secret });
    await tenant.send('GET', `/agents/${secret}`);
    await tenant.send('GET', '/agents', { headers: { 'x-request-id': 'one' } });
  }

  const speaking = {
    first_message: 'Good evening.',
    stt_config: { provider: 'deepgram', model: 'nova-3', language: 'en' },
    llm_config: { provider: 'openai' },
    tts_config: { provider: 'elevenlabs' },
    speech_config: {
      vad: { min_silence_ms: 200 },
      endpointing: { min_delay_ms: 100 },
      interruption: { enabled: false },
    },
    webhook_secret: secrets.webhookSecret,
  };

  async function call(tenant: Tenant): Promise<void> {
    const agent = await tenant.newAgent(speaking);
    const number = await tenant.newNumber({ agent_id: agent.id });
    const caller = api.telephony.ring(number.number);
    const ticking = setInterval(() => caller.hear(callerFrame(spoken++ % 100 > 60)), 20);
    let spoken = 0;
    await vi.waitFor(
      async () => {
        const { calls } = await tenant.ok('GET', `/calls?number_id=${number.id}&status=failed`);
        expect(calls).toHaveLength(1);
        await tenant.send('GET', `/calls/${calls[0].id}/events`);
      },
      { interval: 100 },
    );
    clearInterval(ticking);
  }

  /** The model rejects the key of the organization and the key of the host. */
  async function callOnKeysThatAreRefused(): Promise<void> {
    const [own, hosts] = [await newTenant(), await newTenant()];
    for (const provider of ['openai', 'deepgram', 'elevenlabs']) {
      await own.ok('POST', '/byok', { provider, api_key: secrets.byokKey });
    }
    await Promise.all([call(own), call(hosts)]);
    recognizer.failNext({ status: 401 });
    await call(own);
  }

  async function callOnBrokenSecrets(): Promise<void> {
    for (const broken of [{ key_id: 'f'.repeat(16) }, { ciphertext: 'AAAA' }]) {
      const tenant = await newTenant();
      const { byok_keys } = await tenant.ok('POST', '/byok', { provider: 'openai', api_key: secrets.byokKey });
      await api.storage.secrets.update(tenant.orgId, byok_keys.openai_secret_id, broken);
      await call(tenant);
    }
  }

  it('were all used during the run', () => {
    // A connection opened ahead of time has no key.
    const used = model.keys.filter((key) => key !== '');
    expect(new Set(used)).toEqual(new Set([secrets.byokKey, secrets.hostKey]));
    expect(api.mail.requests.some(({ headers }) => headers.authorization?.includes(secrets.resendKey))).toBe(true);
    const names = new Set(places.map(([name]) => name.split(' ')[0]));
    expect(names).toEqual(new Set(['answer', 'the', 'a', 'database']));
    expect(places.some(([name]) => name === 'the log')).toBe(true);
    expect(formsOf('a?').length).toBeGreaterThan(4);
  });

  it.each(['vaultKey', 'resendKey', 'hostKey', 'byokKey', 'trunkPassword'] as const)('%s appears nowhere', (name) => {
    expect(placesOf([secrets[name]], places)).toEqual([]);
  });

  it('API keys appear only in the response that issues them', () => {
    const shown = placesOf(keys, places).filter(([place]) => place !== 'answer to POST /api-keys');
    // A key sent as an id is repeated in the error.
    expect(shown.filter(([place, n]) => !place.startsWith(`answer to GET /agents/${keys[n]}`))).toEqual([]);
  });

  it('webhook secrets appear only in agents', () => {
    for (const secret of [secrets.webhookSecret, secrets.toolSecret]) {
      expect(placesOf([secret], places).filter(([place]) => !agentPlaces.test(place))).toEqual([]);
    }
  });
});
