import type { MetadataJson } from 'libphonenumber-js';
import metadata from 'libphonenumber-js/min/metadata';

/** The numbers of a calling code that need no second look. */
interface Plan {
  /** Digits after the calling code, as many as are possible in every country that has the code. */
  readonly lengths: ReadonlySet<number>;
  /** What may be there to reach another place within the country, and is no part of the number then. */
  readonly nationalPrefix: RegExp | null;
}

/** Of the library's data. Where it comes in another format, every number is looked at by the library itself. */
const knownFormat = 4;

const digits = /^(?:\+|00)[1-9](?: ?\d){6,14}$/;
const longestCallingCode = 3;

/**
 * The number, where the text is one beyond doubt: digits, with spaces or without, of a length that is possible, and no
 * national prefix among them. Null says nothing. It tells in a fraction of the time what the library would say.
 */
export function plainE164(text: string): string | null {
  if (!digits.test(text)) return null;
  const all = text.replaceAll(' ', '');
  const number = all.startsWith('00') ? all.slice(2) : all.slice(1);
  // No calling code is the beginning of another one.
  for (let length = 1; length <= longestCallingCode; length += 1) {
    const plan = plans().get(number.slice(0, length));
    if (plan === undefined) continue;
    const isPlain = plan.lengths.has(number.length - length) && !plan.nationalPrefix?.test(number.slice(length));
    return isPlain ? `+${number}` : null;
  }
  return null;
}

let known: ReadonlyMap<string, Plan> | null = null;

function plans(): ReadonlyMap<string, Plan> {
  known ??= metadata.version === knownFormat ? readPlans(metadata) : new Map();
  return known;
}

/**
 * A country's fields stand in this order.
 * @see https://gitlab.com/catamphetamine/libphonenumber-js/blob/master/METADATA.md
 */
const field = { possibleLengths: 3, nationalPrefix: 5, nationalPrefixForParsing: 7 } as const;

function readPlans({ country_calling_codes: codes, countries }: MetadataJson): ReadonlyMap<string, Plan> {
  return new Map(
    Object.entries(codes).map(([code, names]) => {
      const each = names.map((name): readonly unknown[] => countries[name] ?? []);
      return [code, toPlan(each)];
    }),
  );
}

/** The prefix is that of the first country, which is the one that the library goes by. */
function toPlan(countries: readonly (readonly unknown[])[]): Plan {
  const lengths = countries.map((country) => lengthsOf(country));
  const [first] = countries;
  const prefix = first?.[field.nationalPrefixForParsing] || first?.[field.nationalPrefix];
  return {
    lengths: new Set(lengths[0]?.filter((length) => lengths.every((others) => others.includes(length)))),
    nationalPrefix: typeof prefix === 'string' ? new RegExp(`^(?:${prefix})`) : null,
  };
}

function lengthsOf(country: readonly unknown[]): number[] {
  const lengths: unknown = country[field.possibleLengths];
  return Array.isArray(lengths) ? lengths.filter((length) => typeof length === 'number') : [];
}
