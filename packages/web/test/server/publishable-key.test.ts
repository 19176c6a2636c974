import type { PublishableKey } from '@va/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebService } from './service.ts';

const origin = 'https://www.example.com';

let service: WebService;
afterEach(() => service.close());

async function key(changes: object = {}): Promise<PublishableKey> {
  const input = { name: 'Site', agents: [service.agentId], origins: [origin], ...changes };
  return await service.va.operations.publishableKeys.create(service.orgId, input);
}

async function hello(publishableKey: PublishableKey): Promise<{ type: 'hello'; version: 1; token: string }> {
  const { createWebCall } = service.va.operations.calls;
  const { token } = await createWebCall(service.orgId, { agent_id: service.agentId }, { publishableKey, origin });
  return { type: 'hello', version: 1, token };
}

describe('token of a publishable key', () => {
  beforeEach(async () => {
    service = await WebService.start();
  });

  it('connects pages of its origin', async () => {
    const publishableKey = await key();
    const page = await service.connect(await hello(publishableKey), { origin });
    await page.message('answered');
    page.leave();
    expect(await service.lastCall()).toMatchObject({ publishable_key_id: publishableKey.id });
  });

  it.each([{ origin: 'https://evil.example' }, { origin: 'null' }, {}])(
    'is refused with the headers %j, and not used up',
    async (headers) => {
      const first = await hello(await key());
      const page = await service.connect(first, headers);
      expect(await page.message('error')).toMatchObject({ code: 'token_refused' });
      await (await service.connect(first, { origin })).message('answered');
    },
  );

  it('resumes only from its origin', async () => {
    const page = await service.connect(await hello(await key()), { origin });
    const { resume_secret: secret } = await page.message('ready');
    await page.message('answered');
    const resume = { type: 'resume', version: 1, secret, received: 0 } as const;
    const elsewhere = await service.connect(resume, { origin: 'https://evil.example' });
    expect(await elsewhere.message('error')).toMatchObject({ code: 'resume_refused' });
    await (await service.connect(resume, { origin })).message('ready');
  });
});
