import type { CarrierAccess } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { isApiToken, vonageKeys } from '@va/testkit/carrier-servers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { VonageApi } from '../../src/vonage/api.ts';
import { stubFetch } from '../support/stub-fetch.ts';

afterEach(() => void vi.unstubAllGlobals());

const applicationId = '78d335fa-323d-4114-9c3d-d6f0d48968cf';
const base = 'https://api.nexmo.com/v1/calls';

function api(baseUrl?: string): { api: VonageApi; clock: VirtualClock } {
  const clock = new VirtualClock();
  const access = { account: { application_id: applicationId }, credentials: { private_key: vonageKeys().privateKey } };
  return { api: new VonageApi(access as CarrierAccess<'vonage'>, clock, baseUrl), clock };
}

describe('the API of Vonage', () => {
  it('places a call with a token of the application that is new for each request', async () => {
    const sent = stubFetch([201, { uuid: 'c1' }], [201, { uuid: 'c2' }]);
    const { api: vonage, clock } = api();
    expect([await vonage.create({ a: 1 }), await vonage.create({ a: 1 })]).toEqual(['c1', 'c2']);
    expect(sent[0]).toMatchObject({ to: `POST ${base}`, body: { a: 1 } });
    const tokens = sent.map(({ authorization }) => authorization?.replace('Bearer ', '') ?? '');
    expect(tokens.map((token) => isApiToken(token, applicationId, clock.wallMs()))).toEqual([true, true]);
    expect(tokens[0]).not.toBe(tokens[1]);
  });

  it.each([[{}], [{ uuid: 7 }], [{ uuid: null }]])('refuses the response %j without an id', async (body) => {
    stubFetch([201, body]);
    await expect(api().api.create({})).rejects.toMatchObject({ status: 502 });
  });

  it('hangs up a call', async () => {
    const sent = stubFetch([200, {}]);
    await api('https://api-eu-3.vonage.com/').api.hangUp('c/1');
    expect(sent).toMatchObject([{ to: 'PUT https://api-eu-3.vonage.com/v1/calls/c%2F1', body: { action: 'hangup' } }]);
  });

  it.each([
    ['+31207654321', { type: 'phone', number: '31207654321' }],
    ['sip:desk@example.com', { type: 'sip', uri: 'sip:desk@example.com' }],
  ])('transfers a call to %s', async (destination, endpoint) => {
    const sent = stubFetch([200, {}]);
    expect(await api().api.transfer('c1', destination, '+31201234567')).toBeNull();
    const ncco = [{ action: 'connect', from: '31201234567', endpoint: [endpoint] }];
    expect(sent).toMatchObject([{ body: { action: 'transfer', destination: { type: 'ncco', ncco } } }]);
  });

  it.each([
    ['12#', '12#'],
    ['1w2', '1p2'],
    ['1W2*', '1pp2*'],
  ])('presses the keys %s as %s', async (keys, digits) => {
    const sent = stubFetch([200, {}]);
    await api().api.press('c1', keys);
    expect(sent).toMatchObject([{ to: `PUT ${base}/c1/dtmf`, body: { digits } }]);
  });

  it.each(['A', '1B', '', '1,2'])('does not press the keys %j, which Vonage does not support', (keys) => {
    const sent = stubFetch();
    expect([api().api.press('c1', keys), sent]).toEqual([null, []]);
  });

  it.each([
    [{ type: 't', title: 'Title', detail: 'Detail' }, 't', 'Vonage refused: Detail'],
    [{ error_title: 'Error', title: 'Title' }, null, 'Vonage refused: Error'],
    [{ title: 'Title' }, null, 'Vonage refused: Title'],
    [{}, null, 'Vonage refused: HTTP status 404'],
    [{ type: {}, detail: 5 }, null, 'Vonage refused: HTTP status 404'],
  ])('reads the refusal %j', async (body, vendorCode, message) => {
    stubFetch([404, body]);
    await expect(api().api.hangUp('c1')).rejects.toMatchObject({ status: 404, vendorCode, message });
  });
});
