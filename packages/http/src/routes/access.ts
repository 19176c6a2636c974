import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';
import { anyScope } from '../route/route.ts';

const accessSchema = z.object({
  organization_id: z.uuid(),
  /** `<group>:read` or `<group>:write`; `*` stands for all. */
  scopes: z.array(z.string()),
  /** Id of the API key; null for a session of the host. */
  key_id: z.uuid().nullable(),
  /** The host's name of the user; null for an API key. */
  subject: z.string().nullable(),
  /** True for operators of the deployment. */
  is_operator: z.boolean(),
});

export const access = {
  get: defineRoute({
    method: 'GET',
    path: '/access',
    scope: anyScope,
    summary: 'Get what the credentials allow',
    description: 'For any valid credentials, whatever their scopes.',
    result: component('Access', accessSchema),
    run: async ({ principal }) => ({
      organization_id: principal.orgId,
      scopes: [...principal.scopes],
      key_id: principal.keyId,
      subject: principal.subject ?? null,
      is_operator: principal.isOperator === true,
    }),
  }),
};
