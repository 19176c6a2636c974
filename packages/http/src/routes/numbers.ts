import { phoneNumberSchema, registerNumberSchema, updateNumberSchema } from '@va/core';
import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';
import { deleted, deletedSchema, wholeListQuery } from '../route/shared-schemas.ts';

const number = component('PhoneNumber', phoneNumberSchema);

export const numbers = {
  list: defineRoute({
    method: 'GET',
    path: '/numbers',
    scope: 'numbers:read',
    summary: 'List phone numbers',
    query: wholeListQuery,
    result: z.array(number),
    wrap: 'numbers',
    run: ({ operations, orgId, query }) => operations.numbers.list(orgId, query),
  }),
  register: defineRoute({
    method: 'POST',
    path: '/numbers',
    scope: 'numbers:write',
    summary: 'Register a phone number',
    description: 'The SIP provider of the number has to forward its calls to the service.',
    body: component('NewPhoneNumber', registerNumberSchema),
    status: 201,
    result: number,
    wrap: 'number',
    location: ({ id }) => `/numbers/${id}`,
    errors: {
      400: ['invalid_phone_number', 'invalid_reference'],
      403: ['number_not_allowed'],
      409: ['phone_number_exists'],
    },
    run: ({ operations, orgId, body }) => operations.numbers.register(orgId, body),
  }),
  get: defineRoute({
    method: 'GET',
    path: '/numbers/:id',
    scope: 'numbers:read',
    summary: 'Get a phone number',
    result: number,
    wrap: 'number',
    errors: { 404: ['phone_number_not_found'] },
    run: ({ operations, orgId, params }) => operations.numbers.get(orgId, params.id),
  }),
  update: defineRoute({
    method: 'PATCH',
    path: '/numbers/:id',
    scope: 'numbers:write',
    summary: 'Update the agent or the transfer trunk of a phone number',
    body: component('PhoneNumberChanges', updateNumberSchema),
    result: number,
    wrap: 'number',
    errors: { 400: ['invalid_reference'], 404: ['phone_number_not_found'] },
    run: ({ operations, orgId, params, body }) => operations.numbers.update(orgId, params.id, body),
  }),
  delete: defineRoute({
    method: 'DELETE',
    path: '/numbers/:id',
    scope: 'numbers:write',
    summary: 'Delete a phone number',
    result: deletedSchema,
    errors: { 404: ['phone_number_not_found'], 409: ['number_in_use'] },
    run: ({ operations, orgId, params }) => operations.numbers.delete(orgId, params.id).then(deleted),
  }),
};
