import { newApiKeySchema, shownApiKeySchema } from '@va/core';
import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';
import { deleted, deletedSchema, wholeListQuery } from '../route/shared-schemas.ts';

const apiKey = component('ApiKey', shownApiKeySchema);

export const apiKeys = {
  list: defineRoute({
    method: 'GET',
    path: '/api-keys',
    scope: 'api-keys:read',
    summary: 'List API keys',
    query: wholeListQuery,
    result: z.array(apiKey),
    wrap: 'api_keys',
    run: ({ operations, orgId, query }) => operations.apiKeys.list(orgId, query),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api-keys',
    scope: 'api-keys:write',
    summary: 'Create an API key',
    description: 'The secret is shown only in this response. A key can grant only scopes that it has itself.',
    body: component('NewApiKey', newApiKeySchema),
    status: 201,
    result: component('IssuedApiKey', z.object({ api_key: apiKey, secret: z.string() })),
    location: () => '/api-keys',
    errors: { 409: ['too_many_api_keys'] },
    secret: true,
    async run({ operations, orgId, principal, body }) {
      const { apiKey: issued, secret } = await operations.apiKeys.issue(orgId, body, principal.scopes);
      return { api_key: issued, secret };
    },
  }),
  delete: defineRoute({
    method: 'DELETE',
    path: '/api-keys/:id',
    scope: 'api-keys:write',
    summary: 'Revoke an API key',
    result: deletedSchema,
    errors: { 404: ['api_key_not_found'] },
    run: ({ operations, orgId, params, principal }) =>
      operations.apiKeys.revoke(orgId, params.id, principal.scopes).then(deleted),
  }),
};
