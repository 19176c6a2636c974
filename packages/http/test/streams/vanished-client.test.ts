import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { createHandler } from '../../src/create-handler.ts';
import { toNode } from '../../src/node.ts';
import { createTestHost, type TestHost } from '../support/host.ts';

const hours = { schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'UTC' };

/** Returns a path that accepts CSV. */
async function importPath({ host, orgId }: TestHost): Promise<string> {
  const agent = await host.operations.agents.create(orgId, { name: 'Anna' });
  const campaign = await host.operations.campaigns.create(orgId, { name: 'C', agent_id: agent.id, ...hours });
  return `/campaigns/${campaign.id}/leads/import`;
}

it.each([
  ['application/json', '{"name":"Anna"}', async () => '/agents'],
  ['text/csv', 'phone_number\n+31201234567\n', importPath],
] as const)(
  'the handler closes although a client that sent its whole %s disconnected before it was read',
  async (type, body, pathOf) => {
    const test = await createTestHost();
    const { host, key } = test;
    const path = await pathOf(test);
    let goOn = (): void => {};
    const gone = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const handler = createHandler({
      ...host,
      authenticate: (credentials) => gone.then(() => host.authenticate(credentials)),
    });
    const server = createServer(toNode(handler)).listen(0, '127.0.0.1');
    await once(server, 'listening');

    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const length = `Content-Length: ${body.length}`;
    const headers = ['Host: localhost', `Authorization: Bearer ${key}`, `Content-Type: ${type}`, length];
    socket.write([`POST /api/v1${path} HTTP/1.1`, ...headers, '', body].join('\r\n'));
    const [request] = await once(server, 'request');
    socket.destroy();
    await new Promise((resolve) => request.on('close', resolve));
    expect(request).toMatchObject({ complete: true, destroyed: true, readableEnded: false });
    goOn();
    await gone;

    await handler.close();
    expect(test.logged).toEqual([]);
    await new Promise((resolve) => server.close(resolve));
  },
);
