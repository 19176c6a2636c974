import { type AddressPolicy, createAddressPolicy, type LlmEvent } from '@va/core/adapter';
import { type OpenAiOptions, openai } from '@va/providers/openai';
import { OpenAiServer } from '@va/testkit/provider-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, common } from '../options.ts';

const inside = createAddressPolicy({ allowed: ['127.0.0.1', 'localhost'] });
let vendor: OpenAiServer;
let customers: OpenAiServer;
beforeAll(async () => {
  [vendor, customers] = await Promise.all([OpenAiServer.start(), OpenAiServer.start()]);
});
afterAll(() => Promise.all([vendor.close(), customers.close()]));

function stream(
  config: Readonly<Record<string, unknown>>,
  addresses: AddressPolicy = inside,
  options: Partial<OpenAiOptions> = {},
): AsyncIterable<LlmEvent> {
  const model = openai({
    apiKey: 'sk-host',
    baseURL: vendor.url,
    headers: { 'x-host': 'secret' },
    addresses,
    ...options,
  });
  return model.stream({
    ...common(),
    config: { provider: 'openai', messages: [], tools: [], ...config },
    messages: [{ role: 'user', content: 'Hello' }],
    tools: [],
    orgId: 'org',
    apiKey: 'sk-organization',
  });
}

describe('llm_config.url', () => {
  it('receives the request with its own key and headers, and none of the host or the organization', async () => {
    const before = vendor.requests.length;
    await collect(stream({ url: customers.url, api_key: 'sk-own', headers: { 'X-Team': 'voice' }, model: 'm' }));
    const request = customers.requests.at(-1);
    expect(request?.headers).toMatchObject({ authorization: 'Bearer sk-own', 'x-team': 'voice' });
    expect(request?.headers).not.toHaveProperty('x-host');
    expect(request?.body).not.toHaveProperty('api_key');
    expect(request?.body.model).toBe('m');
    expect(vendor.requests).toHaveLength(before);
  });

  it('receives no Authorization header without a key of its own', async () => {
    await collect(stream({ url: customers.url }));
    expect(customers.requests.at(-1)?.headers).not.toHaveProperty('authorization');
  });

  it('may have its Authorization in the headers', async () => {
    await collect(stream({ url: customers.url, headers: { Authorization: 'Basic abc' } }));
    expect(customers.requests.at(-1)?.headers.authorization).toBe('Basic abc');
  });

  it.each(['http://127.0.0.1', 'http://localhost', 'http://[::1]'])(
    'is not contacted at %s by default',
    async (host) => {
      const url = customers.url.replace('http://127.0.0.1', host);
      const before = customers.requests.length;
      await expect(collect(stream({ url }, createAddressPolicy()))).rejects.toMatchObject({
        fault: 'invalid_request',
        retryable: false,
      });
      expect(customers.requests).toHaveLength(before);
      const check = openai({ apiKey: 'k' }).checkOptions?.({ url }, { orgId: 'org' });
      expect(await check).toMatchObject([{ path: ['url'] }]);
    },
  );

  it('fails the request when it is invalid, and does not go to the host’s service instead', async () => {
    const before = vendor.requests.length;
    await expect(collect(stream({ url: 'nowhere' }))).rejects.toMatchObject({ fault: 'invalid_request' });
    await expect(collect(stream({ url: 7 }))).rejects.toMatchObject({ fault: 'invalid_request' });
    expect(vendor.requests).toHaveLength(before);
  });

  it('has its key removed from errors', async () => {
    customers.failNext({ status: 401, repeatsKey: true });
    await expect(collect(stream({ url: customers.url, api_key: 'sk-own' }))).rejects.toMatchObject({
      fault: 'auth',
      message: expect.stringContaining('[redacted]'),
    });
  });
});
