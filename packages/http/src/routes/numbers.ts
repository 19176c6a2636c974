import { phoneNumberSchema, registerNumberSchema, updateNumberSchema } from '@va/core';
import { z } from 'zod';
import type { ScopedRoute } from './route.ts';
import { deletedSchema } from './schemas.ts';

const numberAnswer = z.object({ number: phoneNumberSchema });

export const numberRoutes: readonly ScopedRoute[] = [
  {
    method: 'GET',
    path: '/numbers',
    scope: 'numbers:read',
    response: z.object({ numbers: z.array(phoneNumberSchema) }),
    async handle({ host, principal, query }) {
      return { status: 200, body: { numbers: await host.operations.numbers.list(principal.orgId, query) } };
    },
  },
  {
    method: 'POST',
    path: '/numbers',
    scope: 'numbers:write',
    body: registerNumberSchema,
    response: numberAnswer,
    async handle({ host, principal, body, apiPath }) {
      const number = await host.operations.numbers.register(principal.orgId, body);
      return { status: 201, body: { number }, headers: { location: `${apiPath}/numbers/${number.id}` } };
    },
  },
  {
    method: 'GET',
    path: '/numbers/:id',
    scope: 'numbers:read',
    response: numberAnswer,
    async handle({ host, principal, params: { id = '' } }) {
      return { status: 200, body: { number: await host.operations.numbers.get(principal.orgId, id) } };
    },
  },
  {
    method: 'PATCH',
    path: '/numbers/:id',
    scope: 'numbers:write',
    body: updateNumberSchema,
    response: numberAnswer,
    async handle({ host, principal, params: { id = '' }, body }) {
      return { status: 200, body: { number: await host.operations.numbers.update(principal.orgId, id, body) } };
    },
  },
  {
    method: 'DELETE',
    path: '/numbers/:id',
    scope: 'numbers:write',
    response: deletedSchema,
    async handle({ host, principal, params: { id = '' } }) {
      await host.operations.numbers.delete(principal.orgId, id);
      return { status: 200, body: { success: true } };
    },
  },
];
