import { telnyx } from '@va/carriers/telnyx';
import { TelnyxServer } from '@va/testkit/carrier-servers';
import { CarrierService, heardText } from '@va/testkit/carriers';
import Telnyx from 'telnyx';
import { expect, it, vi } from 'vitest';

it('the testkit’s Telnyx answers the vendor’s SDK', async ({ onTestFinished }) => {
  const server = await TelnyxServer.start({
    callee: (to) => ({ does: to === '+31207654321' ? 'answer' : 'ring' }),
  });
  onTestFinished(() => server.close());
  const client = new Telnyx({ apiKey: server.apiKey, baseURL: `${server.url}/v2`, maxRetries: 0 });
  const { data } = await client.calls.dial({
    connection_id: server.connectionId,
    to: '+31687654321',
    from: '+31201234567',
    command_id: 'one',
    stream_url: 'wss://example.com/stream',
    stream_bidirectional_mode: 'rtp',
    stream_bidirectional_codec: 'PCMU',
  });
  const id = data?.call_control_id ?? '';
  await client.calls.actions.sendDtmf(id, { digits: '12#', duration_millis: 100 });
  await client.calls.actions.transfer(id, {
    to: '+31207654321',
    from: '+31201234567',
    timeout_secs: 30,
    target_leg_client_state: 'a2V5',
  });
  await vi.waitFor(() => expect(server.calls[0]).toMatchObject({ keys: '12#', transferredTo: '+31207654321' }));
  await client.calls.actions.hangup(id, {});
  await expect(client.calls.actions.hangup(id, {})).rejects.toMatchObject({ status: 422 });
});

it('the adapter sends the same requests as the vendor’s SDK', async ({ onTestFinished }) => {
  const service = await CarrierService.start({}, async (options) => {
    const server = await TelnyxServer.start(options);
    return { server, telephony: telnyx({ apiUrl: server.url }) };
  });
  onTestFinished(() => service.close());
  const call = await service.call();
  await service.silence(call, () => heardText(call).includes('Good evening.'));
  await service.control({ type: 'send-dtmf', digits: '1', duration_ms: 40 });
  await service.silence(call, () => call.keys === '1');
  await service.control({ type: 'end-call' });
  await service.silence(call, () => call.ended);
  await service.place();
  await service.streaming(1);

  const reference = await TelnyxServer.start();
  onTestFinished(() => reference.close());
  const client = new Telnyx({ apiKey: reference.apiKey, baseURL: `${reference.url}/v2`, maxRetries: 0 });
  const ours = service.server.requests;
  const bodyOf = (path: RegExp): never => (ours.find((each) => path.test(each.path))?.fields ?? {}) as never;
  // The types of the SDK do not check these bodies; its paths, headers and encoding are what is compared.
  await client.calls.actions.answer(call.id, bodyOf(/answer$/)).catch(() => {});
  await client.calls.actions.sendDtmf(call.id, bodyOf(/send_dtmf$/)).catch(() => {});
  await client.calls.actions.hangup(call.id, bodyOf(/hangup$/)).catch(() => {});
  await client.calls.dial(bodyOf(/calls$/));
  // Both encodings of the id are right: the SDK leaves ":" and "+" as they are.
  const shown = (server: CarrierService['server']) =>
    server.requests.map(({ method, path, authorization, fields }) => [
      method,
      decodeURIComponent(path),
      authorization,
      fields,
    ]);
  expect(shown(service.server)).toEqual(shown(reference));
});
