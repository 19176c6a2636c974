import { z } from 'zod';

export const sipTransports = ['udp', 'tcp', 'tls'] as const;
export const mediaSources = ['latch', 'strict'] as const;

const host = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?$/i;

/** `host` or `host:port`; the host a name, an IPv4 address or an IPv6 address in brackets. */
const addressSchema = z
  .string()
  .trim()
  .max(255)
  .refine((text) => {
    const [matched, port] = host.exec(text) ?? [];
    return matched !== undefined && (port === undefined || (Number(port) > 0 && Number(port) < 65_536));
  }, 'expected a host, or host:port, without "sip:"');

export const sipTrunkSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  provider: z.string(),
  address: z.string(),
  auth_username: z.string().nullable(),
  numbers: z.array(z.string()),
  transport: z.enum(sipTransports),
  /** Maximum concurrent calls: further ones are refused, or wait in the case of campaigns; null for no limit. */
  max_concurrent_calls: z.int().nullable(),
  /**
   * Accepted sources of RTP in calls through the trunk: `strict` takes only the address and port of the SDP, `latch`
   * also another one explained by a NAT; null for the host's default.
   */
  media_source: z.enum(mediaSources).nullable(),
  is_active: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** A SIP provider for outbound calls and transfers. */
export type SipTrunk = z.infer<typeof sipTrunkSchema>;

/** A trunk as stored: its password is in the vault. */
export type SipTrunkRecord = SipTrunk & { auth_password_secret_id: string | null };

const trunkFields = {
  name: z.string().trim().min(1).max(200),
  provider: z.string().trim().min(1).max(200),
  address: addressSchema,
  auth_username: z.string().min(1).max(200).nullable(),
  /** Write-only; stored in the vault. */
  auth_password: z.string().min(1).max(500).nullable(),
  numbers: z.array(z.string().trim().min(1).max(64)).max(1_000),
  transport: z.enum(sipTransports),
  max_concurrent_calls: z.int().min(1).max(100_000).nullable(),
  media_source: z.enum(mediaSources).nullable(),
  is_active: z.boolean(),
};

export const updateSipTrunkSchema = z.strictObject(trunkFields).partial();
export const createSipTrunkSchema = updateSipTrunkSchema.required({ name: true, provider: true, address: true });

export type NewSipTrunk = z.input<typeof createSipTrunkSchema>;
export type SipTrunkChanges = z.input<typeof updateSipTrunkSchema>;
