import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CarrierRequest, carrierRequest, firstOf } from '../../../src/shared/web/carrier-request.ts';

interface Received {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** Sends one request to a server that responds as given. */
async function send(
  respond: (response: ServerResponse) => void,
  body?: CarrierRequest['body'],
): Promise<{ answer: Promise<unknown>; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ request, body: Buffer.concat(chunks).toString() });
    respond(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const answer = carrierRequest({
    ...{ carrier: 'Acme', method: 'POST', authorization: 'Basic x' },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/calls`,
    ...(body !== undefined && { body }),
    refusal: ({ code, message }) => ({ code, text: message }),
  });
  await answer.catch(() => {});
  return { answer, received };
}
const json = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status).end(JSON.stringify(body));

describe('carrierRequest', () => {
  it('sends a form or JSON and returns the fields of the response', async () => {
    const form = await send(json(201, { sid: 'c' }), new URLSearchParams({ To: '+31 20' }));
    expect(await form.answer).toEqual({ sid: 'c' });
    expect(form.received[0]).toMatchObject({ body: 'To=%2B31+20' });
    expect(form.received[0]?.request.headers).toMatchObject({
      ...{ authorization: 'Basic x', 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    });
    const object = await send(json(200, {}), { to: '1' });
    expect(object.received[0]).toMatchObject({ body: '{"to":"1"}' });
    expect(object.received[0]?.request.headers['content-type']).toBe('application/json');
  });

  it.each(['', 'OK', '[', 'null'])('has no fields for a response with the body %j', async (text) => {
    const { answer } = await send((response) => response.end(text));
    expect(await answer).toEqual({});
  });

  it.each([
    [json(400, { code: 21_211, message: 'Invalid number' }), 400, '21211', 'Acme refused: Invalid number'],
    [
      json(401, { code: 'x'.repeat(500), message: 'm'.repeat(500) }),
      401,
      'x'.repeat(100),
      `Acme refused: ${'m'.repeat(300)}`,
    ],
    [json(422, { code: {}, message: ['a'] }), 422, null, 'Acme refused: HTTP status 422'],
    [(response: ServerResponse) => response.writeHead(503).end('<html>'), 503, null, 'Acme refused: HTTP status 503'],
  ])('throws the error of a refusal, with bounded texts (%#)', async (respond, status, vendorCode, message) => {
    await expect((await send(respond)).answer).rejects.toMatchObject({ status, vendorCode, message });
  });

  it('refuses a response beyond 64 KiB', async () => {
    const { answer } = await send((response) => response.end(JSON.stringify({ a: 'x'.repeat(70_000) })));
    await expect(answer).rejects.toThrow('more than 64 KiB');
  });

  it('does not follow a redirect, which would carry the credentials elsewhere', async () => {
    const { answer, received } = await send((response) => response.writeHead(307, { location: '/other' }).end());
    await expect(answer).rejects.toThrow();
    expect(received).toHaveLength(1);
  });
});

it.each([[[{ code: 1 }, { code: 2 }]], [[]], [[null]], [null], ['text'], [{ 0: { code: 1 } }]])(
  'firstOf › reads %j',
  (errors) => {
    expect(firstOf(errors)).toEqual(Array.isArray(errors) && errors.length === 2 ? { code: 1 } : {});
  },
);
