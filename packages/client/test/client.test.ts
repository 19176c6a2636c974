import { describe, expect, it } from 'vitest';
import type { Client } from '../src/index.ts';
import { thrownBy } from './support/client-of.ts';
import { recordedClient } from './support/recorded-requests.ts';

const ok = (): Response => Response.json({});

describe('a method of the client', () => {
  it.each<[string, (client: Client) => Promise<unknown>, string, string]>([
    ['without arguments', (client) => client.voices.list(), 'GET /voices', ''],
    ['without its optional query', (client) => client.agents.list(), 'GET /agents', ''],
    ['with a query', (client) => client.agents.list({ limit: 5, offset: 10 }), 'GET /agents?limit=5&offset=10', ''],
    ['with a body', (client) => client.agents.create({ name: 'x' }), 'POST /agents', '{"name":"x"}'],
    ['with an id', (client) => client.agents.get('a1'), 'GET /agents/a1', ''],
    [
      'with an id and a body',
      (client) => client.agents.update('a1', { name: 'x' }),
      'PATCH /agents/a1',
      '{"name":"x"}',
    ],
    [
      'with an id and a query',
      (client) => client.leads.list('c1', { limit: 2 }),
      'GET /campaigns/c1/leads?limit=2',
      '',
    ],
    ['with two ids', (client) => client.leads.remove('c1', 'l1'), 'DELETE /campaigns/c1/leads/l1', ''],
    ['with an id within its path', (client) => client.calls.listen('k1'), 'POST /calls/k1/listen', ''],
    ['below another record', (client) => client.webhookDeliveries.test('a1'), 'POST /agents/a1/webhook/test', ''],
    ['that posts nothing', (client) => client.domains.verify(), 'POST /domains/verify', ''],
    ['of a key’s provider', (client) => client.byok.deleteOf('openai'), 'DELETE /byok/openai', ''],
  ])('%s sends one request', async (_, call, line, body) => {
    const { client, sent } = recordedClient([ok]);
    await call(client);
    expect(sent.map((each) => [each.line, each.body])).toEqual([[line, body]]);
  });

  it.each<[string, (client: Client, options: { signal: AbortSignal }) => Promise<unknown>]>([
    ['after nothing', (client, options) => client.voices.list(options)],
    ['after a query', (client, options) => client.agents.list({ limit: 1 }, options)],
    ['after an omitted query', (client, options) => client.agents.list(undefined, options)],
    ['after a body', (client, options) => client.agents.create({ name: 'x' }, options)],
    ['after an id', (client, options) => client.agents.get('a1', options)],
    ['after an id and a body', (client, options) => client.agents.update('a1', {}, options)],
    ['after two ids', (client, options) => client.leads.remove('c1', 'l1', options)],
    ['of a page of records', (client, options) => client.leads.all('c1', {}, options).next()],
    ['of a recording', (client, options) => client.calls.recording('k1', options)],
    ['of an import', (client, options) => client.leads.import('c1', 'phone_number\n', {}, options)],
    ['of an export', (client, options) => client.leads.export('c1', options)],
    ['of the events of a call', (client, options) => client.calls.events('k1', options).next()],
    ['of the events of all calls', (client, options) => client.calls.watch(options).next()],
    ['of live events', (client, options) => client.calls.live({}, options).next()],
    ['of the progress of a campaign', (client, options) => client.campaigns.events('c1', options).next()],
    ['of the health', (client, options) => client.health.get(options)],
  ])('takes its options %s', async (_, call) => {
    const { client, sent } = recordedClient([ok]);
    const reason = new Error('left');
    expect(await thrownBy(call(client, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(sent).toEqual([]);
  });

  it('returns the record in the response, or the whole response where that is the record', async () => {
    const { client } = recordedClient([() => Response.json({ agent: { id: 'a1' }, id: 'k1' })]);
    expect(await client.agents.get('a1')).toEqual({ id: 'a1' });
    expect(await client.calls.get('k1')).toEqual({ agent: { id: 'a1' }, id: 'k1' });
    expect(await client.agents.delete('a1')).toBeUndefined();
  });
});

describe('leads.import', () => {
  it('sends the file as CSV, with its options in the query', async () => {
    const { client, sent } = recordedClient([() => Response.json({ added: 1 })]);
    expect(await client.leads.import('c1', 'phone_number\n+31201234567\n', { dry_run: true })).toEqual({ added: 1 });
    expect(sent[0]).toMatchObject({
      line: 'POST /campaigns/c1/leads/import?dry_run=true',
      body: 'phone_number\n+31201234567\n',
    });
    expect(sent[0]?.headers.get('content-type')).toBe('text/csv');
  });

  it('sends a stream again after a failure, with the same key', async () => {
    const { client, sent } = recordedClient([() => new Response(null, { status: 503 }), ok]);
    await client.leads.import('c1', new Blob(['phone_number\n']).stream());
    expect(sent.map(({ body }) => body)).toEqual(['phone_number\n', 'phone_number\n']);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });
});

describe('leads.export', () => {
  it('streams CSV', async () => {
    const { client, sent } = recordedClient([() => new Response('phone_number\n')]);
    expect(await new Response(await client.leads.export('c1')).text()).toBe('phone_number\n');
    expect(sent[0]?.line).toBe('GET /campaigns/c1/leads/export');
    expect(sent[0]?.headers.get('accept')).toBe('text/csv');
  });

  it('returns an empty stream if the response has no body', async () => {
    const { client } = recordedClient([() => new Response(null)]);
    expect(await new Response(await client.leads.export('c1')).text()).toBe('');
  });
});

describe('voices.sample', () => {
  const body = { tts_config: { provider: 'deepgram', voiceId: 'thalia' } };

  it('returns the audio as a Blob', async () => {
    const { client, sent } = recordedClient([() => new Response('RIFF', { headers: { 'content-type': 'audio/wav' } })]);
    const sample = await client.voices.sample(body);
    expect([await sample.text(), sample.type]).toEqual(['RIFF', 'audio/wav']);
    expect(sent[0]?.headers.get('accept')).toBe('audio/wav');
  });

  it('is not repeated, because each attempt is billed', async () => {
    const { client, sent } = recordedClient([() => new Response(null, { status: 503 })]);
    expect(await thrownBy(client.voices.sample(body))).toMatchObject({ status: 503 });
    expect(sent).toHaveLength(1);
  });
});

describe('a stream of the client', () => {
  const events = (text: string) => (): Response =>
    new Response(text, { headers: { 'content-type': 'text/event-stream' } });

  it('of live events requests one call, and yields its events unchanged', async () => {
    const { client, sent } = recordedClient([events('data: {"type":"state","call_id":"k1"}\n\n')]);
    const live = client.calls.live({ call_id: 'k1' });
    expect((await live.next()).value).toEqual({ type: 'state', call_id: 'k1' });
    await live.return();
    expect(sent[0]?.line).toBe('GET /calls/live?call_id=k1');
    expect(sent[0]?.headers.get('accept')).toBe('text/event-stream');
  });

  it.each([
    ['a call', (client: Client) => client.calls.events('k1').next(), 'GET /calls/k1/events'],
    ['all calls', (client: Client) => client.calls.watch().next(), 'GET /events'],
    ['a campaign', (client: Client) => client.campaigns.events('c1').next(), 'GET /campaigns/c1/events'],
  ])('of %s requests its path, and throws the error of a refusal', async (_, first, line) => {
    const { client, sent } = recordedClient([() => Response.json({ code: 'forbidden' }, { status: 403 })]);
    expect(await thrownBy(first(client))).toMatchObject({ code: 'forbidden' });
    expect(sent.map((each) => each.line)).toEqual([line]);
  });
});
