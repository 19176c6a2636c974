import type { CarrierAccess } from '@va/core/adapter';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PlivoApi } from '../../src/plivo/api.ts';
import { stubFetch } from '../support/stub-fetch.ts';

afterEach(() => void vi.unstubAllGlobals());

const base = 'https://api.plivo.com/v1/Account/MA1';
const published: string[] = [];
function api(baseUrl?: string): PlivoApi {
  const access = { account: { auth_id: 'MA1' }, credentials: { auth_token: 'secret' } };
  const publish = (document: string): string => {
    published.push(document);
    return 'https://example.com/document';
  };
  return new PlivoApi({ access: access as CarrierAccess<'plivo'>, baseUrl, publish });
}

describe('the API of Plivo', () => {
  it('places a call under the id of the request', async () => {
    const sent = stubFetch([201, { request_uuid: 'r1' }]);
    expect(await api().create({ to: '+31201234567' })).toBe('r1');
    const authorization = `Basic ${Buffer.from('MA1:secret').toString('base64')}`;
    expect(sent).toEqual([{ to: `POST ${base}/Call/`, authorization, body: { to: '+31201234567' } }]);
  });

  it('refuses a call without an id', async () => {
    stubFetch([201, {}]);
    await expect(api().create({})).rejects.toMatchObject({ status: 502 });
  });

  it('hangs up a call', async () => {
    const sent = stubFetch([200, {}]);
    await api().hangUp('c/1');
    expect(sent.map(({ to }) => to)).toEqual([`DELETE ${base}/Call/c%2F1/`]);
  });

  it('cancels a ringing call by the id of its request', async () => {
    const sent = stubFetch([404, { error: 'not found' }], [200, {}]);
    await api().hangUp('r1');
    expect(sent.map(({ to }) => to)).toEqual([`DELETE ${base}/Call/r1/`, `DELETE ${base}/Request/r1/`]);
  });

  it('does not cancel after another refusal', async () => {
    const sent = stubFetch([500, { error: 'down' }]);
    await expect(api().hangUp('r1')).rejects.toMatchObject({ status: 500, message: 'Plivo refused: down' });
    expect(sent).toHaveLength(1);
  });

  it('transfers by a document that it publishes', async () => {
    const sent = stubFetch([202, {}]);
    expect(await api('https://proxy.example.com/').transfer('c1', '+31207654321', '+31201234567')).toBeNull();
    expect(sent).toMatchObject([
      {
        to: 'POST https://proxy.example.com/v1/Account/MA1/Call/c1/',
        body: { legs: 'aleg', aleg_url: 'https://example.com/document', aleg_method: 'POST' },
      },
    ]);
    expect(published.at(-1)).toContain('+31207654321');
  });
});
