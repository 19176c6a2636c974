import type { CarrierAccess } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TelnyxApi } from '../../src/telnyx/api.ts';
import { Bridges } from '../../src/telnyx/bridges.ts';
import { stubFetch } from '../support/stub-fetch.ts';

afterEach(() => void vi.unstubAllGlobals());

const url = 'POST https://api.telnyx.com/v2/calls';
function api(): TelnyxApi {
  const access = { account: { connection_id: 'n1' }, credentials: { api_key: 'KEY' } } as CarrierAccess<'telnyx'>;
  return new TelnyxApi({ access, baseUrl: undefined, bridges: new Bridges(), clock: new VirtualClock() });
}
const placed = [200, { data: { call_control_id: 'c1' } }] as const;
const refused = (status: number, code = '10016') => [status, { errors: [{ code, detail: 'No.' }] }] as const;

describe('placing a call with Telnyx', () => {
  it('sends the connection of the account', async () => {
    const sent = stubFetch(placed);
    expect(await api().create({ command_id: 'x', to: '+31201234567' })).toBe('c1');
    const body = { connection_id: 'n1', command_id: 'x', to: '+31201234567' };
    expect(sent).toEqual([{ to: url, authorization: 'Bearer KEY', body }]);
  });

  it.each([
    ['a lost response', new Error('reset')],
    ['a server error', refused(503)],
  ])('is repeated once with the same command after %s', async (_, response) => {
    const sent = stubFetch(response, placed);
    expect(await api().create({ command_id: 'x' })).toBe('c1');
    expect(sent[1]).toEqual(sent[0]);
    const again = stubFetch(response, response);
    await expect(api().create({ command_id: 'x' })).rejects.toThrow();
    expect(again).toHaveLength(2);
  });

  it.each([
    ['a refusal', refused(422), { status: 422, vendorCode: '10016', message: 'Telnyx refused: No.' }],
    ['a response without an id', [200, { data: {} }], { status: 502 }],
  ] as const)('is not repeated after %s', async (_, response, error) => {
    const sent = stubFetch(response);
    await expect(api().create({ command_id: 'x' })).rejects.toMatchObject(error);
    expect(sent).toHaveLength(1);
  });
});

describe('a command to a call of Telnyx', () => {
  it.each<[string, (api: TelnyxApi) => Promise<unknown>, string, object]>([
    ['answer', (to) => to.answer('c/1', { a: 1 }), 'c%2F1/actions/answer', { a: 1 }],
    ['reject', (to) => to.reject('c1', 'USER_BUSY'), 'c1/actions/reject', { cause: 'USER_BUSY' }],
    ['hangUp', (to) => to.hangUp('c1'), 'c1/actions/hangup', {}],
    ['press', (to) => to.press('c1', '12', 250), 'c1/actions/send_dtmf', { digits: '12', duration_millis: 250 }],
    ['short press', (to) => to.press('c1', '1', 40), 'c1/actions/send_dtmf', { digits: '1', duration_millis: 100 }],
    ['long press', (to) => to.press('c1', '1', 900), 'c1/actions/send_dtmf', { digits: '1', duration_millis: 500 }],
  ])('%s is a request', async (_, run, path, body) => {
    const sent = stubFetch([200, {}]);
    await run(api());
    expect(sent).toMatchObject([{ to: `${url}/${path}`, body }]);
  });

  it('fails with the status 404 when the call has ended', async () => {
    stubFetch(refused(422, '90018'));
    await expect(api().hangUp('c1')).rejects.toMatchObject({ status: 404, vendorCode: '90018' });
  });
});
