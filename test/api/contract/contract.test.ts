import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.ts';
import { servedRoutes } from '../support/served-routes.ts';
import { allStorageKinds } from '../support/storages.ts';
import { methodOf, pathOf } from './row.ts';
import { rows } from './rows/all.ts';

const listed = [...new Set(rows.map(({ operation }) => operation))].sort();

describe.each(allStorageKinds)('the contract on $name', (kind) => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(kind);
  });
  afterAll(() => api.close());

  it('covers every operation', () => {
    const served = servedRoutes.flatMap(({ operations }) => operations);
    expect([...served, 'GET /health/live', 'GET /health/ready', 'GET /openapi.json'].sort()).toEqual(listed);
    expect(api.described.operations.sort()).toEqual(listed);
  });

  describe.each(rows)('$operation', (row) => {
    it(row.title, async () => {
      const tenant = await api.tenant();
      const request = await row.request(tenant);
      const reply = await tenant.send(methodOf(row), pathOf(row, request), request);

      expect([reply.status, reply.body], reply.text).toEqual([row.status, reply.body]);
      expect(reply.headers['content-type']).toBe(row.contentType);
      expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      if (row.body !== null) expect(row.body.safeParse(reply.body).error?.issues ?? []).toEqual([]);
      if (row.has !== undefined) expect(reply.body).toMatchObject(row.has);
      const { location } = reply.headers;
      if (row.location === null) expect(location).toBeUndefined();
      else expect(location).toMatch(row.location);
      if (location !== undefined) {
        expect((await tenant.send('GET', location.replace('/api/v1', ''))).status, location).toBe(200);
      }
    });
  });
});
