import { organizationSchema } from '@va/core';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';

export const organizations = {
  get: defineRoute({
    method: 'GET',
    path: '/organizations',
    aliases: ['/account'],
    scope: 'organizations:read',
    summary: 'Get your organization',
    result: component('Organization', organizationSchema),
    run: ({ operations, orgId }) => operations.organizations.get(orgId),
  }),
};
