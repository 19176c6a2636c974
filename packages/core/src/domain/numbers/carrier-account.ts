import { z } from 'zod';

/** Carriers whose calls come over their API and media streams instead of SIP. */
export const carrierTypes = ['twilio', 'telnyx', 'plivo', 'vonage'] as const;

/** A carrier with call-control API. */
export type CarrierType = (typeof carrierTypes)[number];

const id = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'expected letters, digits, "_" and "-"');
const secret = z.string().min(1).max(500);
/** Part of a host name. */
const place = z.string().regex(/^[a-z0-9-]{1,40}$/, 'expected lower-case letters, digits and "-"');
const pem = z
  .string()
  .max(10_000)
  .regex(/^-----BEGIN [A-Z ]*PRIVATE KEY-----\s/, 'expected a private key in PEM format');

/** Media streams of 16 kHz instead of 8 kHz, for trunks whose calls have wideband codecs. */
const wideband = z.boolean().optional();

/** Public identifiers of a carrier's account. */
export const carrierAccountSchemas = {
  /** @see https://www.twilio.com/docs/global-infrastructure/using-the-twilio-rest-api-in-a-non-us-region */
  twilio: z.strictObject({
    account_sid: z.string().regex(/^AC[0-9a-fA-F]{32}$/, 'expected "AC" and 32 hexadecimal digits'),
    region: place.optional(),
    edge: place.optional(),
  }),
  telnyx: z.strictObject({
    /** Id of the Call Control application. */
    connection_id: id,
    /** Public key of the account's webhook signatures (Ed25519), base64. */
    public_key: z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'expected 32 bytes in base64'),
    wideband,
  }),
  plivo: z.strictObject({ auth_id: id }),
  vonage: z.strictObject({ application_id: z.uuid(), wideband }),
} as const;

/** Secrets of a carrier's account; kept in the vault. */
export const carrierCredentialSchemas = {
  twilio: z.strictObject({
    auth_token: secret,
    /** API key for requests; the account's SID and token without it. */
    api_key: z.strictObject({ sid: id, secret }).optional(),
  }),
  telnyx: z.strictObject({ api_key: secret }),
  plivo: z.strictObject({ auth_token: secret }),
  vonage: z.strictObject({
    /** Key of the application (RS256). */
    private_key: pem,
    /** Secret of signed webhooks (HS256). */
    signature_secret: secret,
  }),
} as const;

/** Account data of a carrier's trunk, without secrets. */
export type CarrierAccount<T extends CarrierType = CarrierType> = z.infer<(typeof carrierAccountSchemas)[T]>;
/** Secrets of a carrier's trunk. */
export type CarrierCredentials<T extends CarrierType = CarrierType> = z.infer<(typeof carrierCredentialSchemas)[T]>;

/** Host names of the carriers' APIs. */
export const carrierHosts: Readonly<Record<CarrierType, string>> = {
  twilio: 'api.twilio.com',
  telnyx: 'api.telnyx.com',
  plivo: 'api.plivo.com',
  vonage: 'api.nexmo.com',
};
