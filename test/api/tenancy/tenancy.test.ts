import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unknownId } from '../contract/refusal.ts';
import { methodOf, pathOf, type RowRequest } from '../contract/row.ts';
import { rows } from '../contract/rows/all.ts';
import { type Api, openApi } from '../support/api.ts';
import type { Reply } from '../support/exchange.ts';
import { servedRoutes } from '../support/served-routes.ts';
import { storageKinds } from '../support/storages.ts';
import type { Tenant } from '../support/tenant.ts';
import { attempts } from './attempts.ts';
import { createWorld, settledRecordsOf, type World } from './world.ts';

const scoped = servedRoutes.filter(({ route }) => route.scope !== null).flatMap(({ operations }) => operations);
const table = Object.entries(attempts).flatMap(([operation, list]) => list.map((each) => ({ operation, ...each })));

/** Returns everything a caller sees of a response, except the requested id and values that differ on every response. */
function seen({ status, headers, text }: Reply, id: string): object {
  const { date: _, 'x-request-id': requestId = '', 'keep-alive': __, ...rest } = headers;
  const shown = text.replaceAll(String(requestId), '<request>').replaceAll(id, '<id>');
  return { status, headers: rest, text: shown };
}

it('covers every operation with a scope', () => {
  expect(Object.keys(attempts).sort()).toEqual([...scoped].sort());
});

describe.each(storageKinds)('an organization on $name', (kind) => {
  let api: Api;
  let own: World;
  let other: World;
  /** The records of both organizations. */
  let before: string;
  const orgIds = (): string[] => [own.tenant.orgId, other.tenant.orgId];
  beforeAll(async () => {
    api = await openApi(kind);
    [own, other] = [await createWorld(api), await createWorld(api)];
    before = await settledRecordsOf(api, orgIds());
  });
  afterAll(() => api.close());

  async function sent(tenant: Tenant, operation: string, request: RowRequest): Promise<Reply> {
    return await tenant.send(methodOf({ operation }), pathOf({ operation }, request), request);
  }

  /**
   * Expects unchanged records in both organizations; reports a change only once. Changes by background work that is not
   * finished yet are found by a later test.
   */
  async function expectNoChange(): Promise<void> {
    if ((await api.recordsOf(orgIds())) === before) return;
    const expected = before;
    before = await settledRecordsOf(api, orgIds());
    expect(before).toBe(expected);
  }

  it.each(table)(
    'cannot access a record of another organization in $operation, by $at',
    async ({ operation, id, request, status }) => {
      const foreignId = id(other);
      const foreign = await sent(own.tenant, operation, request(foreignId, own));
      const unknown = await sent(own.tenant, operation, request(unknownId, own));
      expect(seen(foreign, foreignId)).toEqual(seen(unknown, unknownId));
      expect(foreign.status).toBe(status);
      await expectNoChange();
    },
  );

  it.each(rows.filter(({ open }) => !open))(
    'neither returns nor changes data of another organization in $operation ($title)',
    async (row) => {
      const tenant = await api.tenant();
      const request = await row.request(tenant);
      const reply = await sent(tenant, row.operation, request);
      expect(reply.status).toBe(row.status);
      await expectNoChange();
      const { tenant: _, ...ids } = other;
      const told = Object.entries(ids).filter(([, id]) => reply.text.includes(id));
      expect(told).toEqual([]);
      expect(reply.text).not.toContain(other.tenant.orgId);
    },
  );

  it.each(['DELETE /domains', 'POST /domains/verify', 'POST /domains/refresh', 'DELETE /byok/openai'])(
    'returns 404 when only another organization has the resource: %s',
    async (operation) => {
      const tenant = await api.tenant();
      const asked = api.mail.requests.length;
      expect((await sent(tenant, operation, {})).status).toBe(404);
      expect(api.mail.requests).toHaveLength(asked);
      await expectNoChange();
    },
  );

  it('refuses the key of another organization for its records, and its revocation', async () => {
    const replies = await Promise.all([
      own.tenant.send('GET', `/agents/${own.agent}`, { key: other.tenant.key }),
      own.tenant.send('DELETE', `/api-keys/${own.apiKey}`, { key: other.tenant.key }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
  });

  it('has the same records once the background work of all requests has settled', async () => {
    expect(await settledRecordsOf(api, orgIds())).toBe(before);
  });
});
