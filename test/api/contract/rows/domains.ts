import { z } from 'zod';
import { newDomainName } from '../../support/tenant.ts';
import { type Row, row } from '../row.ts';
import { availableDomains, domain, success } from '../shapes.ts';

const location = /\/domains$/;

export const domainRows: readonly Row[] = [
  row('GET /domains', { title: 'returns null when there is no domain', body: z.null() }),
  row('GET /domains', {
    async request(tenant) {
      await tenant.newDomain();
      return {};
    },
    body: domain,
  }),
  row('POST /domains', {
    request: async () => ({ json: { domain_name: newDomainName() } }),
    status: 201,
    body: domain,
    has: { status: 'not_started', provider: 'resend', verified_at: null },
    location,
  }),
  row('DELETE /domains', {
    async request(tenant) {
      await tenant.newDomain();
      return {};
    },
    body: success,
  }),
  row('GET /domains/sync', {
    async request(tenant) {
      await tenant.newDomain();
      return {};
    },
    body: availableDomains,
  }),
  ...['domain_id', 'resendDomainId'].map((name) =>
    row('POST /domains/sync', {
      title: `accepts ${name}`,
      request: async (tenant) => ({ json: { [name]: tenant.api.mail.create(newDomainName()).id } }),
      body: domain,
    }),
  ),
  ...['verify', 'refresh'].map((action) =>
    row(`POST /domains/${action}`, {
      async request(tenant) {
        await tenant.newDomain();
        return {};
      },
      body: domain,
    }),
  ),
];
