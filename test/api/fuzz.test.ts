import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { error, problem } from './contract/error-shapes.ts';
import { anyRequest } from './fuzz/any-request.ts';
import { fuzzedTenant, told } from './fuzz/fuzzed-tenant.ts';
import { mutatedRow } from './fuzz/mutated-row.ts';
import { rawExchange } from './fuzz/raw-exchange.ts';
import { anyBytes } from './fuzz/raw-requests.ts';
import { handlesLeft, openHandles, watchProcess } from './fuzz/watch-process.ts';
import { type Api, openApi } from './support/api.ts';
import { exchange, keepAliveAgent, type Reply, type Sent } from './support/exchange.ts';
import { memoryStorage, postgresStorage } from './support/storages.ts';

const count = Number(process.env.VA_FUZZ_REQUESTS ?? (process.env.CI ? 5_000 : 2_000));
const seed = Number(process.env.VA_FUZZ_SEED ?? 20_260_101);
const kinds = [memoryStorage, postgresStorage];
const batchSize = 500;
const workers = 8;

/**
 * Returns the faults of a response: a status or body that the API description does not define, or an error of another
 * format.
 */
function faultsOf(api: Api, sent: Sent, reply: Reply): string[] {
  const faults = api.described.faultsOf(sent.method, sent.path, reply);
  if (reply.status === 500) faults.push('is an internal error');
  if (reply.status >= 400 && sent.method !== 'HEAD') {
    const shape = reply.headers['content-type'] === 'application/problem+json' ? problem : error;
    const parsed = shape.safeParse(reply.body);
    if (!parsed.success) faults.push(`is not an error of the API: ${reply.text.slice(0, 200)}`);
  }
  if (reply.headers['x-request-id'] === undefined) faults.push('has no X-Request-Id');
  return faults;
}

async function sendAll(api: Api, batch: readonly Sent[], key: string): Promise<string[]> {
  const agent = keepAliveAgent(workers);
  const failures: string[] = [];
  const pending = batch.entries();
  const work = async (): Promise<void> => {
    for (const [, sent] of pending) {
      const headers = { authorization: `Bearer ${key}`, ...sent.headers };
      const request = { ...sent, headers, path: `/api/v1${sent.path}`, leavesStreams: true };
      try {
        const reply = await exchange(api.origin, request, agent);
        const faults = faultsOf(api, sent, reply);
        if (faults.length > 0) failures.push(`${told(sent)}\n  -> ${reply.status} ${faults.join('; ')}`);
      } catch (thrown) {
        failures.push(`${told(sent)}\n  -> ${thrown}`);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  agent.destroy();
  return failures;
}

async function expectToAnswer(api: Api): Promise<void> {
  const tenant = await api.tenant();
  const agent = await tenant.newAgent();
  expect((await tenant.ok('GET', '/agents')).agents).toEqual([agent]);
  expect((await tenant.ok('GET', '/health')).status).toBe('ok');
}

describe.each(kinds)('the API on $name under fuzzed requests', (kind) => {
  async function attacked(attack: (api: Api) => Promise<string[]>): Promise<void> {
    const before = openHandles();
    const watched = watchProcess();
    const api = await openApi(kind);
    try {
      const failures = await attack(api);
      expect(failures.slice(0, 10), `${failures.length} failures; VA_FUZZ_SEED=${seed}`).toEqual([]);
      await expectToAnswer(api);
    } finally {
      await api.close();
      watched.stop();
    }
    expect(watched.seen).toEqual([]);
    expect('polluted' in {}).toBe(false);
    expect(await handlesLeft(before)).toEqual([]);
  }

  it(`answers ${count / kinds.length} requests only with described responses (seed ${seed})`, async () => {
    await attacked(async (api) => {
      const failures: string[] = [];
      for (let sent = 0; sent < count / kinds.length; sent += batchSize) {
        const { tenant, material, prepared } = await fuzzedTenant(api);
        const requests = fc.oneof(anyRequest(material), mutatedRow(prepared));
        const batch = fc.sample(requests, { seed: seed + sent, numRuns: batchSize });
        failures.push(...(await sendAll(api, batch, tenant.key)));
      }
      return failures;
    });
  }, 600_000);

  it(`closes every connection that sends raw bytes (seed ${seed})`, async () => {
    await attacked(async (api) => {
      const { key } = await api.tenant();
      const exchanges = fc.sample(anyBytes(key), { seed, numRuns: Math.ceil(count / 10) });
      const failures: string[] = [];
      const pending = exchanges.values();
      const work = async (): Promise<void> => {
        for (const each of pending) {
          const fault = await rawExchange(api.origin, each);
          if (fault !== null) failures.push(`${JSON.stringify(each).slice(0, 800)}\n  -> ${fault}`);
        }
      };
      await Promise.all(Array.from({ length: workers }, work));
      return failures;
    });
  }, 600_000);
});
