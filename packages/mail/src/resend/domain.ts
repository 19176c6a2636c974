import { type DnsRecord, type MailDomainStatus, ProviderError } from '@va/core';
import type { ListedMailDomain, ProvidedMailDomain } from '@va/core/adapter';
import { z } from 'zod';

/**
 * `temporary_failure` is a verified record that was missing at the last check and is checked again.
 * @see https://resend.com/docs/dashboard/domains/introduction
 */
const statuses: Readonly<Record<string, MailDomainStatus>> = {
  not_started: 'not_started',
  pending: 'pending',
  temporary_failure: 'pending',
  verified: 'verified',
  partially_verified: 'partially_verified',
  partially_failed: 'partially_failed',
  failed: 'failed',
};

const statusSchema = z.string().transform((status): MailDomainStatus => {
  const known = Object.hasOwn(statuses, status) ? statuses[status] : undefined;
  return known ?? 'pending';
});

const listedSchema = z.object({
  id: z.string().min(1),
  name: z.string().min(1).toLowerCase(),
  status: statusSchema,
  region: z
    .string()
    .nullish()
    .transform((region) => region ?? null),
});

const recordSchema = z.object({
  record: z.string(),
  name: z.string(),
  type: z.string(),
  ttl: z.union([z.string(), z.number().transform(String)]).default('Auto'),
  value: z.string(),
  priority: z
    .int()
    .nullish()
    .transform((priority) => priority ?? null),
  status: statusSchema,
});

const domainSchema = listedSchema.extend({ records: z.array(recordSchema) });
const pageSchema = z.object({ data: z.array(listedSchema), has_more: z.boolean().default(false) });

/** A page of the account's domains. */
export interface DomainPage {
  readonly data: readonly ListedMailDomain[];
  readonly has_more: boolean;
}

/** @throws ProviderError `protocol` */
export function readDomain(answer: unknown): ProvidedMailDomain {
  const domain: Omit<ProvidedMailDomain, 'records'> & { records: DnsRecord[] } = read(domainSchema, answer);
  return domain;
}

/** @throws ProviderError `protocol` */
export function readPage(answer: unknown): DomainPage {
  return read(pageSchema, answer);
}

function read<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new ProviderError('resend', 'protocol', 'the response does not have the documented shape', {
    cause: parsed.error,
  });
}
