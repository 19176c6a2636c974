import { z } from 'zod';
import { type UsageKind, type UsageUnit, usageKinds, usageUnits } from './usage-kind.ts';

/** Units of prices: for each, the unit of the quantity, and the number of units that a price pays for. */
const priceUnits = {
  token: ['token', 1],
  thousand_tokens: ['token', 1_000],
  million_tokens: ['token', 1_000_000],
  second: ['second', 1],
  minute: ['second', 60],
  hour: ['second', 3_600],
  character: ['character', 1],
  thousand_characters: ['character', 1_000],
  million_characters: ['character', 1_000_000],
} as const satisfies Record<string, readonly [UsageUnit, number]>;

/** Unit of a price. */
export type PriceUnit = keyof typeof priceUnits;

const priceUnitNames = Object.keys(priceUnits) as [PriceUnit, ...PriceUnit[]];
const pricedKinds = usageKinds.filter((kind): kind is PricedKind => kind !== 'call_minutes');

/** The minutes of calls have their price in `pricing`. */
type PricedKind = Exclude<UsageKind, 'call_minutes'>;

/** One price of the host's price list. */
export const priceSchema = z
  .strictObject({
    /** Id of a provider in the host's registry. */
    provider: z.string().min(1).max(200),
    /** Applies to this model only, before a price without model. Without it: every other model of the provider. */
    model: z.string().min(1).max(200).optional(),
    kind: z.enum(pricedKinds),
    /** Amount in the currency of the service. */
    price: z.number().min(0).max(1e6),
    /** Unit that the amount pays for; must match the kind. */
    per: z.enum(priceUnitNames),
    /** True for a price of usage that is paid with an organization's own key, which otherwise costs 0. */
    own_key: z.boolean().default(false),
  })
  .refine(({ kind, per }) => priceUnits[per][0] === usageUnits[kind], {
    path: ['per'],
    error: 'does not fit the kind: tokens have prices per token, audio per time, text per character',
  });

/** A price of the host, such as 0.40 per million input tokens of a model. */
export type Price = z.input<typeof priceSchema>;

/** Returns how many units of a quantity a price is for. */
export function unitsPer(per: PriceUnit): number {
  return priceUnits[per][1];
}
