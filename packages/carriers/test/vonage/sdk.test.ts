import { vonage } from '@va/carriers/vonage';
import { VonageServer } from '@va/testkit/carrier-servers';
import { CarrierService, heardText } from '@va/testkit/carriers';
import { Auth } from '@vonage/auth';
import { NCCOBuilder, Voice } from '@vonage/voice';
import { expect, it } from 'vitest';
import { connectStream } from '../../src/vonage/ncco.ts';

function sdk({ applicationId, privateKey, url }: VonageServer): Voice {
  return new Voice(new Auth({ applicationId, privateKey }), { apiHost: url });
}

it('the testkit’s Vonage answers the vendor’s SDK', async ({ onTestFinished }) => {
  const server = await VonageServer.start({ callee: () => ({ does: 'ring' }) });
  onTestFinished(() => server.close());
  const client = sdk(server);
  const { uuid } = await client.createOutboundCall({
    to: [{ type: 'phone', number: '31687654321' }],
    from: { type: 'phone', number: '31201234567' },
    ncco: [],
    eventUrl: [`${server.url}/none`],
  } as never);
  expect(server.calls[0]?.id).toBe(uuid);
  await client.playDTMF(uuid, '12#');
  await client.transferCallWithNCCO(uuid, [
    { action: 'connect', from: '31201234567', endpoint: [{ type: 'phone', number: '31207654321' }] },
  ] as never);
  expect(server.calls[0]).toMatchObject({ keys: '12#', transferredTo: '+31207654321' });
  await client.hangupCall(uuid);
  expect(server.calls[0]?.ended).toBe(true);
  await expect(client.hangupCall(uuid)).rejects.toThrow();
});

it('the adapter sends the same requests as the vendor’s SDK', async ({ onTestFinished }) => {
  const service = await CarrierService.start({}, async (options) => {
    const server = await VonageServer.start(options);
    return { server, telephony: vonage({ apiUrl: server.url }) };
  });
  onTestFinished(() => service.close());
  await service.place();
  const call = await service.streaming();
  await service.silence(call, () => heardText(call).includes('Good evening.'));
  await service.control({ type: 'send-dtmf', digits: '1w2' });
  await service.silence(call, () => call.keys === '1p2');
  await service.control({ type: 'transfer', destination: '+31207654321' });
  await service.silence(call, () => call.transferredTo !== null);

  const reference = await VonageServer.start();
  onTestFinished(() => reference.close());
  const client = sdk(reference);
  const [created] = service.server.requests;
  const { to, from, ncco, event_url: eventUrl } = created?.fields ?? {};
  const asked = { to, from, ncco, eventUrl, eventMethod: 'POST', ringingTimer: 120 };
  const { uuid } = await client.createOutboundCall(asked as never);
  expect(uuid).toBe(call.id);
  await client.playDTMF(uuid, '1p2');
  const dialed = { action: 'connect', from: '31201234567', endpoint: [{ type: 'phone', number: '31207654321' }] };
  await client.transferCallWithNCCO(uuid, [dialed] as never);
  const shown = (server: CarrierService['server']) =>
    server.requests.map(({ method, path, fields }) => [method, path, fields]);
  expect(shown(service.server)).toEqual(shown(reference));
});

it('the NCCO of a stream is the same as that of the vendor’s SDK', () => {
  const builder = new NCCOBuilder();
  const uri = 'wss://example.com/stream/0';
  const endpoint = [{ type: 'websocket', uri, 'content-type': 'audio/l16;rate=8000', headers: {} }];
  builder.addAction({ action: 'connect', endpoint } as never);
  expect(connectStream(uri, 'pcmu')).toEqual(builder.build());
});
