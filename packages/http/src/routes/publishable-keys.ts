import { newPublishableKeySchema, publishableKeyChangesSchema, publishableKeySchema } from '@va/core';
import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';
import { deleted, deletedSchema, wholeListQuery } from '../route/shared-schemas.ts';

const publishableKey = component('PublishableKey', publishableKeySchema);

export const publishableKeys = {
  list: defineRoute({
    method: 'GET',
    path: '/publishable-keys',
    scope: 'api-keys:read',
    summary: 'List publishable keys',
    query: wholeListQuery,
    result: z.array(publishableKey),
    wrap: 'publishable_keys',
    run: ({ operations, orgId, query }) => operations.publishableKeys.list(orgId, query),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/publishable-keys',
    scope: 'api-keys:write',
    summary: 'Create a publishable key',
    description:
      'A key for the pages of a site without a server: pages of its `origins` can start web calls with its ' +
      '`agents`, and nothing else. It is part of the page and therefore not secret; its limits bound the cost ' +
      'of abuse. Also needs the scope `calls:write`.',
    body: component('NewPublishableKey', newPublishableKeySchema),
    status: 201,
    result: publishableKey,
    wrap: 'publishable_key',
    location: ({ id }) => `/publishable-keys/${id}`,
    errors: { 400: ['invalid_reference'], 409: ['too_many_api_keys'] },
    run: ({ operations, orgId, principal, body }) => operations.publishableKeys.create(orgId, body, principal.scopes),
  }),
  get: defineRoute({
    method: 'GET',
    path: '/publishable-keys/:id',
    scope: 'api-keys:read',
    summary: 'Get a publishable key',
    result: publishableKey,
    wrap: 'publishable_key',
    errors: { 404: ['publishable_key_not_found'] },
    run: ({ operations, orgId, params }) => operations.publishableKeys.get(orgId, params.id),
  }),
  update: defineRoute({
    method: 'PATCH',
    path: '/publishable-keys/:id',
    scope: 'api-keys:write',
    summary: 'Update a publishable key',
    description: 'Changes only the given keys, within 5 s on all nodes. Also needs the scope `calls:write`.',
    body: component('PublishableKeyChanges', publishableKeyChangesSchema),
    result: publishableKey,
    wrap: 'publishable_key',
    errors: { 400: ['invalid_reference'], 404: ['publishable_key_not_found'] },
    run: ({ operations, orgId, params, principal, body }) =>
      operations.publishableKeys.update(orgId, params.id, body, principal.scopes),
  }),
  delete: defineRoute({
    method: 'DELETE',
    path: '/publishable-keys/:id',
    scope: 'api-keys:write',
    summary: 'Revoke a publishable key',
    description: 'Calls in progress continue; unused tokens of the key are refused.',
    result: deletedSchema,
    errors: { 404: ['publishable_key_not_found'] },
    run: ({ operations, orgId, params }) => operations.publishableKeys.revoke(orgId, params.id).then(deleted),
  }),
};
