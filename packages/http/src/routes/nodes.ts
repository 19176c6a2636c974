import { deploymentSchema } from '@va/core';
import { requireOperator } from '@va/core/adapter';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';

export const nodes = {
  list: defineRoute({
    method: 'GET',
    path: '/nodes',
    scope: 'deployment:read',
    summary: 'List the nodes of the deployment',
    description:
      'The processes that share the storage, with their calls, providers and registrations, and the queues of jobs. ' +
      'Only for operators of the deployment, whom the host names: keys of other organizations get 403, whatever ' +
      'their scopes.',
    result: component('Deployment', deploymentSchema),
    async run({ host, principal }) {
      requireOperator(principal);
      return await host.deployment();
    },
  }),
};
