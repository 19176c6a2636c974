import { voicesSchema } from '@va/core';
import { component } from './components.ts';
import { defineRoute } from './define-route.ts';

export const voices = {
  list: defineRoute({
    method: 'GET',
    path: '/voices',
    scope: 'voices:read',
    summary: 'List the voices that agents can have',
    description:
      'Local voices only for organizations approved for them on the enterprise plan; none of a provider used with a key of your own, as those are in your library there. Voices of the realtime mode are chosen with `llm_config.voice`.',
    result: component('Voices', voicesSchema),
    run: ({ operations, orgId }) => operations.voices.list(orgId),
  }),
};
