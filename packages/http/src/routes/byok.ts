import { byokKeysSchema, byokProviderSchema, deleteByokKeySchema, setByokKeySchema } from '@va/core';
import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';

const keys = component('ByokKeys', byokKeysSchema);
const changedKeys = component('ChangedByokKeys', z.object({ success: z.literal(true), byok_keys: keys }));

const missing = { 404: ['byok_key_not_found'] };

export const byok = {
  list: defineRoute({
    method: 'GET',
    path: '/byok',
    scope: 'byok:read',
    summary: 'List which providers have a customer-supplied key',
    description: 'One `<provider>_secret_id` per known provider: an id of the vault, or null.',
    result: keys,
    wrap: 'byok_keys',
    run: ({ operations, orgId }) => operations.byok.list(orgId),
  }),
  set: defineRoute({
    method: 'POST',
    path: '/byok',
    scope: 'byok:write',
    summary: 'Add or replace the customer-supplied key of a provider',
    description: 'The key is stored in the vault and never returned.',
    body: component('NewByokKey', setByokKeySchema),
    result: changedKeys,
    errors: { 503: ['unavailable'] },
    run: async ({ operations, orgId, body }) => ({
      success: true as const,
      byok_keys: await operations.byok.set(orgId, body),
    }),
  }),
  delete: defineRoute({
    method: 'DELETE',
    path: '/byok',
    scope: 'byok:write',
    summary: 'Delete a customer-supplied key',
    body: component('DeletedByokKey', deleteByokKeySchema),
    result: changedKeys,
    errors: missing,
    run: async ({ operations, orgId, body }) => ({
      success: true as const,
      byok_keys: await operations.byok.delete(orgId, body),
    }),
  }),
  deleteOf: defineRoute({
    method: 'DELETE',
    path: '/byok/:provider',
    scope: 'byok:write',
    summary: 'Delete the customer-supplied key of a provider',
    result: changedKeys,
    errors: missing,
    run: async ({ operations, orgId, params }) => ({
      success: true as const,
      byok_keys: await operations.byok.deleteOf(orgId, params.provider),
    }),
  }),
  config: defineRoute({
    method: 'GET',
    path: '/byok/config',
    scope: 'byok:read',
    summary: 'List the providers that accept customer-supplied keys',
    result: z.array(component('ByokProvider', byokProviderSchema)),
    wrap: 'providers',
    run: async ({ operations }) => [...operations.byok.config()],
  }),
};
