import { addMailDomainSchema, availableMailDomainsSchema, mailDomainSchema, selectMailDomainSchema } from '@va/core';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';
import { deleted, deletedSchema } from '../route/shared-schemas.ts';

const domain = component('Domain', mailDomainSchema);

const provider = { 502: ['provider_error'], 503: ['unavailable'], 504: ['provider_timeout'] };
const missing = { 404: ['domain_not_found'], ...provider };

export const domains = {
  get: defineRoute({
    method: 'GET',
    path: '/domains',
    scope: 'domains:read',
    summary: 'Get your mail domain',
    description: 'Null if there is none.',
    result: domain.nullable(),
    run: ({ operations, orgId }) => operations.mailDomains.get(orgId),
  }),
  add: defineRoute({
    method: 'POST',
    path: '/domains',
    scope: 'domains:write',
    summary: 'Add a mail domain',
    description: 'Publish the returned DNS records, then call `/domains/verify`.',
    body: component('NewDomain', addMailDomainSchema),
    status: 201,
    result: domain,
    location: () => '/domains',
    // 404: the domain was deleted while the provider added it.
    errors: { 409: ['domain_exists'], ...missing },
    run: ({ operations, orgId, body }) => operations.mailDomains.add(orgId, body),
  }),
  delete: defineRoute({
    method: 'DELETE',
    path: '/domains',
    scope: 'domains:write',
    summary: 'Delete your mail domain',
    result: deletedSchema,
    errors: missing,
    run: ({ operations, orgId }) => operations.mailDomains.delete(orgId).then(deleted),
  }),
  available: defineRoute({
    method: 'GET',
    path: '/domains/sync',
    scope: 'domains:read',
    summary: 'List the domains in the account of the mail provider',
    result: component('AvailableDomains', availableMailDomainsSchema),
    errors: provider,
    run: ({ operations, orgId }) => operations.mailDomains.available(orgId),
  }),
  select: defineRoute({
    method: 'POST',
    path: '/domains/sync',
    scope: 'domains:write',
    summary: 'Claim a domain in the account of the mail provider',
    body: component('SelectedDomain', selectMailDomainSchema),
    result: domain,
    errors: { 400: ['invalid_reference'], 409: ['domain_exists'], ...provider },
    run: ({ operations, orgId, body }) => operations.mailDomains.select(orgId, body),
  }),
  verify: defineRoute({
    method: 'POST',
    path: '/domains/verify',
    scope: 'domains:write',
    summary: 'Check the DNS records of your mail domain',
    description: 'Asks the mail provider to check the domain, and looks up its DNS records.',
    result: domain,
    errors: missing,
    run: ({ operations, orgId }) => operations.mailDomains.verify(orgId),
  }),
  refresh: defineRoute({
    method: 'POST',
    path: '/domains/refresh',
    scope: 'domains:write',
    summary: 'Get the state of your mail domain at the provider',
    result: domain,
    errors: missing,
    run: ({ operations, orgId }) => operations.mailDomains.refresh(orgId),
  }),
};
