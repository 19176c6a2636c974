import { z } from 'zod';

/** Verification states of a mail domain. */
export const mailDomainStatuses = [
  'not_started',
  'pending',
  'verified',
  'partially_verified',
  'partially_failed',
  'failed',
] as const;
/** Verification state of a mail domain. */
export type MailDomainStatus = (typeof mailDomainStatuses)[number];

const dnsRecordSchema = z.object({
  /** Purpose of the record, such as `SPF`, `DKIM` or `MX`. */
  record: z.string(),
  /** Relative to the domain, or fully qualified. */
  name: z.string(),
  /** `TXT`, `MX` or `CNAME`. */
  type: z.string(),
  ttl: z.string(),
  value: z.string(),
  priority: z.int().nullable(),
  status: z.enum(mailDomainStatuses),
});

/** A DNS record that the owner of a mail domain has to publish. */
export type DnsRecord = z.infer<typeof dnsRecordSchema>;

/** A mail domain, as the API returns it. */
export const mailDomainSchema = z.object({
  id: z.uuid(),
  org_id: z.uuid(),
  domain_name: z.string(),
  provider: z.string(),
  provider_domain_id: z.string().nullable(),
  status: z.enum(mailDomainStatuses),
  region: z.string().nullable(),
  records: z.array(dnsRecordSchema),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  verified_at: z.iso.datetime().nullable(),
});

/** Sender domain of an organization's mails. */
export type MailDomain = z.infer<typeof mailDomainSchema>;
/**
 * A mail domain, as stored. `is_ours` is true if the service added the domain at the provider; deleting the domain then
 * removes it there too.
 */
export type MailDomainRecord = Omit<MailDomain, 'org_id'> & { is_ours: boolean };

const domainName = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Body of `POST /domains`. */
export const addMailDomainSchema = z.strictObject({
  /** A host name (RFC 1123 §2.1) of at least two labels, in its ASCII form. */
  domain_name: z.string().trim().toLowerCase().regex(domainName, 'expected a domain name, such as mail.example.com'),
});

/** Body of `POST /domains`. */
export type NewMailDomain = z.input<typeof addMailDomainSchema>;

const selectedMailDomainSchema = z.strictObject({ domain_id: z.string().trim().min(1).max(200) });
/** Body of `POST /domains/sync`. */
export type SelectedMailDomain = z.input<typeof selectedMailDomainSchema>;

/** Body of `POST /domains/sync`. Accepts the alias `resendDomainId` of `domain_id`, which is not in its type. */
export const selectMailDomainSchema: z.ZodType<SelectedMailDomain, SelectedMailDomain> = z.preprocess<
  unknown,
  typeof selectedMailDomainSchema,
  SelectedMailDomain
>((written: unknown) => {
  if (typeof written !== 'object' || written === null || !('resendDomainId' in written)) return written;
  const { resendDomainId, ...rest } = written;
  return 'domain_id' in rest ? written : { ...rest, domain_id: resendDomainId };
}, selectedMailDomainSchema);

/** Response of `GET /domains/sync`. */
export const availableMailDomainsSchema = z.object({
  domains: z.array(z.object({ id: z.string(), name: z.string(), status: z.string(), region: z.string().nullable() })),
  selected_domain_id: z.string().nullable(),
});
/** Response of `GET /domains/sync`. */
export type AvailableMailDomains = z.infer<typeof availableMailDomainsSchema>;
