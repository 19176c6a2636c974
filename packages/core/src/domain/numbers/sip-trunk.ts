import { z } from 'zod';
import {
  type CarrierAccount,
  type CarrierType,
  carrierAccountSchemas,
  carrierCredentialSchemas,
  carrierTypes,
} from './carrier-account.ts';

/** Transports of a SIP trunk. */
export const sipTransports = ['udp', 'tcp', 'tls'] as const;
const mediaSources = ['latch', 'strict'] as const;
/** Types of trunks: SIP, or the API and media streams of a carrier. */
export const trunkTypes = ['sip', ...carrierTypes] as const;

/** Type of a trunk: SIP, or a carrier. */
export type TrunkType = (typeof trunkTypes)[number];

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

/** A trunk, as the API returns it. */
export const sipTrunkSchema = z.object({
  id: z.uuid(),
  type: z.enum(trunkTypes),
  name: z.string(),
  provider: z.string(),
  /** Address of the trunk; for a carrier, the host name of its API. */
  address: z.string(),
  /** Public identifiers of the carrier's account, such as `account_sid`; null for the type `sip`. */
  account: z.union(Object.values(carrierAccountSchemas)).nullable(),
  auth_username: z.string().nullable(),
  numbers: z.array(z.string()),
  transport: z.enum(sipTransports),
  /** Maximum concurrent calls: further ones are refused, or wait in the case of campaigns; null for no limit. */
  max_concurrent_calls: z.int().nullable(),
  /**
   * Accepted sources of RTP in calls through the trunk: `strict` takes only the address and port of the SDP, `latch`
   * also another source that a NAT explains; null for the host's default.
   */
  media_source: z.enum(mediaSources).nullable(),
  is_active: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** A provider of phone calls, over SIP or over a carrier's media streams. */
export type SipTrunk = z.infer<typeof sipTrunkSchema>;

/** A trunk as stored: its password, or the credentials of a carrier, are in the vault. */
export type SipTrunkRecord = Omit<SipTrunk, 'account'> & {
  account: CarrierAccount | null;
  auth_password_secret_id: string | null;
  /** Vault id of the JSON of a carrier's credentials. */
  credentials_secret_id: string | null;
};

const commonFields = {
  name: z.string().trim().min(1).max(200),
  provider: z.string().trim().min(1).max(200),
  numbers: z.array(z.string().trim().min(1).max(64)).max(1_000),
  max_concurrent_calls: z.int().min(1).max(100_000).nullable(),
  is_active: z.boolean(),
};

const sipFields = {
  ...commonFields,
  address: addressSchema,
  auth_username: z.string().min(1).max(200).nullable(),
  /** Write-only; stored in the vault. */
  auth_password: z.string().min(1).max(500).nullable(),
  transport: z.enum(sipTransports),
  media_source: z.enum(mediaSources).nullable(),
};

function carrierFields<T extends CarrierType>(type: T) {
  return {
    ...commonFields,
    account: carrierAccountSchemas[type],
    /** Write-only; stored in the vault. */
    credentials: carrierCredentialSchemas[type],
  };
}

function newCarrierTrunk<T extends CarrierType>(type: T) {
  return z
    .strictObject({ ...carrierFields(type), type: z.literal(type) })
    .partial({ provider: true, numbers: true, max_concurrent_calls: true, is_active: true });
}

/** Body of `PATCH /sip-trunks/{id}` for a SIP trunk. */
export const updateSipTrunkSchema = z.strictObject(sipFields).partial();

/** Changes of a carrier's trunk; `account` and `credentials` are replaced whole. */
export const updateCarrierTrunkSchemas = {
  twilio: z.strictObject(carrierFields('twilio')).partial(),
  telnyx: z.strictObject(carrierFields('telnyx')).partial(),
  plivo: z.strictObject(carrierFields('plivo')).partial(),
  vonage: z.strictObject(carrierFields('vonage')).partial(),
} as const;

/** Body of `POST /sip-trunks` for a SIP trunk. */
export const createSipTrunkSchema = z
  .strictObject({ ...sipFields, type: z.literal('sip') })
  .partial()
  .required({ name: true, provider: true, address: true });

const newCarrierTrunks = [
  newCarrierTrunk('twilio'),
  newCarrierTrunk('telnyx'),
  newCarrierTrunk('plivo'),
  newCarrierTrunk('vonage'),
] as const;

/** Body of `POST /sip-trunks` for a carrier's trunk. */
export const createCarrierTrunkSchema = z.discriminatedUnion('type', newCarrierTrunks);

/** Input of a trunk of any type; `type` is `sip` by default. */
export const createTrunkSchema = z.discriminatedUnion('type', [createSipTrunkSchema, ...newCarrierTrunks]);

/** Changes of a trunk of any type; the type itself cannot change. */
export const updateTrunkSchema = z.union([updateSipTrunkSchema, ...Object.values(updateCarrierTrunkSchemas)]);

/** Body of `POST /sip-trunks`. */
export type NewSipTrunk = z.input<typeof createTrunkSchema>;
/** Body of `PATCH /sip-trunks/{id}`. */
export type SipTrunkChanges = z.input<typeof updateTrunkSchema>;
