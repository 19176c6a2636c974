import type { CarrierAccess } from '@va/core/adapter';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TwilioApi } from '../../src/twilio/api.ts';
import { stubFetch } from '../support/stub-fetch.ts';

afterEach(() => void vi.unstubAllGlobals());

function api(account: object = {}, credentials: object = {}, baseUrl?: string): TwilioApi {
  const access = {
    account: { account_sid: 'AC1', ...account },
    credentials: { auth_token: 'secret', ...credentials },
  };
  return new TwilioApi(access as CarrierAccess<'twilio'>, baseUrl);
}
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('the API of Twilio', () => {
  it.each([
    [{}, undefined, 'https://api.twilio.com'],
    [{ region: 'ie1' }, undefined, 'https://api.ie1.twilio.com'],
    [{ region: 'ie1', edge: 'dublin' }, undefined, 'https://api.dublin.ie1.twilio.com'],
    [{ region: 'ie1' }, 'https://compatible.example.com/', 'https://compatible.example.com'],
  ])('of the account %j and the URL %j is at %s', async (account, baseUrl, origin) => {
    const sent = stubFetch([201, { sid: 'CA1' }]);
    expect(await api(account, {}, baseUrl).create([['To', '+31201234567']])).toBe('CA1');
    expect(sent).toMatchObject([
      { to: `POST ${origin}/2010-04-01/Accounts/AC1/Calls.json`, body: [['To', '+31201234567']] },
    ]);
  });

  it.each([
    ['its API key', { api_key: { sid: 'SK1', secret: 'key' } }, basic('SK1', 'key')],
    ['the token of the account without one', {}, basic('AC1', 'secret')],
  ])('is called with %s', async (_, credentials, authorization) => {
    const sent = stubFetch([201, { sid: 'CA1' }]);
    await api({}, credentials).create([]);
    expect(sent).toMatchObject([{ authorization }]);
  });

  it('sends each of several values of a field', async () => {
    const sent = stubFetch([201, { sid: 'CA1' }]);
    await api().create([
      ['Event', 'a'],
      ['Event', 'b'],
    ]);
    expect(sent[0]?.body).toEqual([
      ['Event', 'a'],
      ['Event', 'b'],
    ]);
  });

  it('hangs up and transfers by an update of the call', async () => {
    const sent = stubFetch([200, {}], [200, {}]);
    await api().hangUp('CA/1');
    await api().transfer('CA1', '+31207654321', '+31201234567');
    expect(sent[0]).toMatchObject({
      to: 'POST https://api.twilio.com/2010-04-01/Accounts/AC1/Calls/CA%2F1.json',
      body: [['Status', 'completed']],
    });
    expect(sent[1]?.body).toEqual([['Twiml', expect.stringContaining('+31207654321')]]);
  });

  it.each([
    [[201, {}], { status: 502 }],
    [[400, { code: 21211, message: 'Invalid number.' }], { status: 400, vendorCode: '21211' }],
  ] as const)('rejects a call with the response %j', async (response, error) => {
    stubFetch(response);
    await expect(api().create([])).rejects.toMatchObject(error);
  });
});
