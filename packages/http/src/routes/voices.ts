import { voicesSchema } from '@va/core';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';

export const voices = {
  list: defineRoute({
    method: 'GET',
    path: '/voices',
    scope: 'voices:read',
    summary: 'List the available voices',
    description:
      'Local voices are listed only for organizations approved for them on the enterprise plan. Voices of a ' +
      "provider used with a customer-supplied key are not listed, because they are in the customer's own " +
      'library. Voices of the realtime mode are selected with `llm_config.voice`.',
    result: component('Voices', voicesSchema),
    run: ({ operations, orgId }) => operations.voices.list(orgId),
  }),
};
