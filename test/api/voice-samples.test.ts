import { deepgramSpeech } from '@va/providers/deepgram';
import { openaiSpeech } from '@va/providers/openai';
import { scriptedTts } from '@va/testkit';
import { DeepgramServer, OpenAiSpeechServer } from '@va/testkit/provider-servers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Api, openApi, scriptedProviders } from './support/api.ts';
import { allStorageKinds } from './support/storages.ts';
import type { Tenant } from './support/tenant.ts';

const hostKey = 'sk-of-the-host';
const deepgramVoice = { tts_config: { provider: 'deepgram', voiceId: 'aura-2-thalia-en' } };
const openaiVoice = { tts_config: { provider: 'openai', voiceId: 'cedar/odd id?#' } };
const [, pglite] = allStorageKinds;
if (pglite?.name !== 'PGlite') throw new Error('expected PGlite');

describe('POST /voices/sample', () => {
  const slow = scriptedTts({ id: 'slow', stalls: true });
  let deepgram: DeepgramServer;
  let openai: OpenAiSpeechServer;
  let api: Api;
  let tenant: Tenant;

  beforeAll(async () => {
    [deepgram, openai] = [await DeepgramServer.start(), await OpenAiSpeechServer.start()];
    api = await openApi(pglite, {
      rateLimits: { requestsPerMinute: 0, voiceSamplesPerMinute: 6 },
      providers: [
        ...scriptedProviders(),
        slow,
        deepgramSpeech({ apiKey: hostKey, baseUrl: deepgram.url }),
        openaiSpeech({ apiKey: hostKey, baseURL: openai.url }),
      ],
    });
  });
  beforeEach(async () => {
    tenant = await api.tenant();
  });
  afterAll(async () => {
    await api?.close();
    await Promise.all([deepgram?.close(), openai?.close()]);
  });

  it('speaks with the key of the host, or with the own key of the organization', async () => {
    const other = await api.tenant();
    await other.ok('POST', '/byok', { provider: 'openai', api_key: 'sk-of-the-customer' });
    for (const each of [tenant, other]) {
      const reply = await each.send('POST', '/voices/sample', { json: openaiVoice });
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'audio/wav']);
      expect(Number(reply.headers['content-length'])).toBe(reply.bytes.length);
      expect(reply.headers['cache-control']).toBe('no-store');
    }
    expect(openai.spoken.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${hostKey}`,
      'Bearer sk-of-the-customer',
    ]);
    expect(openai.spoken[0]?.body.voice).toBe('cedar/odd id?#');
  });

  it('requests 16 kHz from one vendor, and converts the 24 kHz of another one', async () => {
    const text = 'Good evening, this is the harbour.';
    const replies = [deepgramVoice, openaiVoice].map((voice) =>
      tenant.send('POST', '/voices/sample', { json: { ...voice, text } }),
    );
    const [narrow, converted] = await Promise.all(replies);
    expect(narrow?.bytes.readUInt32LE(24)).toBe(16_000);
    // The servers speak for 40 and 20 ms a character.
    expect((narrow?.bytes.length ?? 0) / 32).toBeCloseTo(text.length * 40, -2);
    expect((converted?.bytes.length ?? 0) / 32).toBeCloseTo(text.length * 20, -2);
    expect(deepgram.connections.at(-1)?.query.get('sample_rate')).toBe('16000');
    await vi.waitFor(() => expect(deepgram.connections.at(-1)?.closed).toBe(true));
  });

  it('reports the failure of a vendor without the vendor’s message and the key', async () => {
    await tenant.ok('POST', '/byok', { provider: 'openai', api_key: 'sk-of-the-customer' });
    openai.failNext(...Array<{ status: number; repeatsKey: boolean }>(3).fill({ status: 401, repeatsKey: true }));
    const reply = await tenant.send('POST', '/voices/sample', { json: openaiVoice });
    expect([reply.status, reply.body.code]).toEqual([502, 'provider_error']);
    expect(reply.body.message).toBe('The provider openai made no sample: it refused the key.');
    expect(reply.text).not.toContain('sk-');
  });

  it('counts the samples of an organization, whichever key asks', async () => {
    const { secret } = await tenant.ok('POST', '/api-keys', { name: 'Other' });
    const json = { tts_config: { provider: 'scripted' } };
    api.clock.stop();
    for (let count = 0; count < 6; count += 1) {
      expect((await tenant.send('POST', '/voices/sample', { json })).status).toBe(200);
    }
    const reply = await tenant.send('POST', '/voices/sample', { json, key: secret });
    expect([reply.status, reply.body.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    const other = await api.tenant();
    expect((await other.send('POST', '/voices/sample', { json })).status).toBe(200);
  });

  it('stops the synthesis when the client disconnects', async () => {
    const leaving = new AbortController();
    const sent = fetch(`${api.origin}/api/v1/voices/sample`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tts_config: { provider: 'slow' } }),
      signal: leaving.signal,
    });
    const refused = expect(sent).rejects.toThrow('abort');
    await vi.waitFor(() => expect(slow.openSessions).toBe(1));
    leaving.abort();
    await refused;
    await vi.waitFor(() => expect(slow.openSessions).toBe(0));
    expect(slow.cancelled.size).toBe(1);
  });

  it('refuses an organization without minutes, and a key without agents:write', async () => {
    const { secret } = await tenant.ok('POST', '/api-keys', { name: 'Reader', scopes: ['voices:read', 'agents:read'] });
    const json = deepgramVoice;
    const reader = await tenant.send('POST', '/voices/sample', { json, key: secret });
    expect([reader.status, reader.body.code]).toEqual([403, 'forbidden']);
    await api.va.operations.organizations.update(tenant.orgId, { minutes_balance: 0 });
    const reply = await tenant.send('POST', '/voices/sample', { json });
    expect([reply.status, reply.body.code]).toEqual([402, 'insufficient_credits']);
  });
});
