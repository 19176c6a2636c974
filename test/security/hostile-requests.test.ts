import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovableClock } from '../api/support/movable-clock.ts';
import { type AttackedService, startAttackedService, type Tenant } from './attacked-service.ts';

let service: AttackedService;
let attacker: Tenant;
let neighbour: Tenant;

beforeAll(async () => {
  service = await startAttackedService({
    numbers: { mayUseNumber: (orgId, number) => number.startsWith('+3120') || orgId === neighbour?.orgId },
  });
  attacker = await service.tenant('Attacker');
  neighbour = await service.tenant('Neighbour');
});
afterAll(() => service.close());

describe('webhook targets inside the network', () => {
  it('receive no request, and the response contains no address', async () => {
    let requests = 0;
    const inside = createServer((_, response) => {
      requests += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    const address = inside.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0.0.0.0'];
    const metadata = ['http://169.254.169.254/latest', 'http://[fe80::1]/', 'http://10.0.0.1/', 'http://192.168.0.1/'];
    for (const url of [...hosts.map((host) => `http://${host}:${port}/hook`), ...metadata]) {
      const { body } = await attacker.send('POST', '/agents', { name: 'A', webhook_url: url });
      const tested = await attacker.send('POST', `/agents/${body.agent.id}/webhook/test`);
      expect([tested.status, tested.body.status_code], url).toEqual([200, null]);
      expect(tested.body.error ?? '', url).not.toMatch(/\(\s*(127|10|192|169)\./);
    }
    expect(requests).toBe(0);
    await new Promise((resolve) => inside.close(resolve));
  });
});

describe('a response to an invalid body', () => {
  it('is short and is not stored for a replay', async () => {
    const fields = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`field_${n}`, 'x'.repeat(10)]));
    const headers = { 'idempotency-key': 'flood' };
    const refused = await attacker.send('POST', '/agents', { name: 'A', ...fields }, headers);
    expect([refused.status, refused.body.errors.length, refused.text.length < 64_000]).toEqual([400, 50, true]);
    const again = await attacker.send('POST', '/agents', { name: 'A' }, headers);
    expect(again.status).toBe(201);
  });
});

describe('an event stream whose API key is revoked', () => {
  it('ends', async () => {
    const issued = await attacker.send('POST', '/api-keys', { name: 'Leaked' });
    const stream = await fetch(`${service.origin}/api/v1/events`, {
      headers: { authorization: `Bearer ${issued.body.secret}` },
    });
    expect(stream.status).toBe(200);
    const ended = (async (): Promise<string> => {
      for await (const _ of stream.body ?? []) {
        // Skip keep-alives.
      }
      return 'ended';
    })();
    expect((await attacker.send('DELETE', `/api-keys/${issued.body.api_key.id}`)).status).toBe(200);
    expect(await ended).toBe('ended');
  });
});

describe('the numbers and destinations of a tenant', () => {
  it('are refused unless the host allows them', async () => {
    const stolen = await attacker.send('POST', '/numbers', { phone_number: '+31301234567' });
    expect([stolen.status, stolen.body.code]).toEqual([403, 'number_not_allowed']);
    expect((await neighbour.send('POST', '/numbers', { phone_number: '+31301234567' })).status).toBe(201);
    const premium = { destination: '+31909123456', agent: {} };
    const { body } = await attacker.send('POST', '/numbers', { phone_number: '+31201234599' });
    const trunk = { name: 'M', provider: 'p', address: 'sip.example.com', numbers: ['+31201234599'] };
    await attacker.send('POST', '/sip-trunks', trunk);
    const scripted = { provider: 'scripted' };
    const agent = { stt_config: scripted, llm_config: scripted, tts_config: scripted };
    const dialed = await attacker.send('POST', '/calls/outbound', { ...premium, agent, number_id: body.number.id });
    expect([dialed.status, dialed.body.code]).toEqual([403, 'destination_not_allowed']);
  });
});

describe('the API keys of an organization', () => {
  it('share one rate limit, separate from other organizations', async () => {
    const clock = new MovableClock();
    clock.stop();
    const limited = await startAttackedService({ clock }, { rateLimits: { requestsPerMinutePerOrganization: 20 } });
    const [own, other] = [await limited.tenant('Attacker'), await limited.tenant('Neighbour')];
    const keys: string[] = [];
    for (let n = 0; n < 10; n += 1) keys.push((await own.send('POST', '/api-keys', { name: `K${n}` })).body.secret);
    const statuses: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (const key of keys) {
        statuses.push((await own.send('GET', '/agents', undefined, { authorization: `Bearer ${key}` })).status);
      }
    }
    // Ten requests created the keys.
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.slice(10)).toEqual(Array.from({ length: 40 }, () => 429));
    expect((await other.send('GET', '/agents')).status).toBe(200);
    await limited.close();
  });
});
