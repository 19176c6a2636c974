import type { AddressInfo } from 'node:net';
import { webhookMessageSchema } from '@va/core';
import { InProcessJobs, systemClock, systemRandom, uuidv7, type WebhookMessage } from '@va/core/adapter';
import { silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { expect, it } from 'vitest';
import { createReceiver } from '../receiver.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

it('answers tool calls and assistant requests, and logs a report once', async ({ onTestFinished }) => {
  const lines: string[] = [];
  const server = createReceiver(secret, (line) => lines.push(line)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const dispatcher = webhooks({ allowPrivateTargets: true });
  dispatcher.start({
    clock: systemClock,
    logger: silentLogger,
    jobs: new InProcessJobs(systemClock),
    settle: async () => {},
    targetOf: async () => null,
    disabled: async () => null,
    onAttempt() {},
  });
  onTestFinished(async () => {
    await dispatcher.close({ drainMs: 0 });
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const id = uuidv7(systemClock, systemRandom);
  const about = {
    call: { id, type: 'inboundPhoneCall', status: 'in-progress', pipeline: 'pipeline' },
    agent: null,
    phoneNumber: { number: '+31201234567', name: null },
    customer: { number: '+31612345678' },
    metadata: {},
  };
  const ask = async (event: WebhookMessage['event'], more: Record<string, unknown> = {}, key = secret) => {
    const message = { ...about, ...more };
    webhookMessageSchema.parse({ ...message, type: event, timestamp: '2026-01-01T00:00:00.000Z' });
    const target = { url, secret: key };
    return await dispatcher.request(
      { event, target, orgId: id, agentId: null, callId: null, message },
      { timeoutMs: 5_000, signal: new AbortController().signal },
    );
  };
  expect(await ask('assistant-request')).toMatchObject({ body: { assistant: { firstMessage: 'Good evening.' } } });
  const toolCallList = [
    { id: 'a', type: 'function', function: { name: 'find_table', arguments: { people: 2 } } },
    { id: 'b', type: 'function', function: { name: 'other', arguments: {} } },
  ];
  expect(await ask('tool-calls', { toolCallList })).toMatchObject({
    body: {
      results: [
        { toolCallId: 'a', result: 'A table for 2 is free.' },
        { toolCallId: 'b', error: 'There is no tool other.' },
      ],
    },
  });
  expect(await ask('status-update')).toMatchObject({ ok: true, body: {} });
  expect(lines).toEqual([`${id}: in-progress`]);
  const forged = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  expect(await ask('status-update', {}, forged)).toMatchObject({ ok: false, status: 401 });
});
