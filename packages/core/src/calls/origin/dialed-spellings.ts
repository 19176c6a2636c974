import { getCountries, getCountryCallingCode } from 'libphonenumber-js';

/** E.164 numbers that a dialed text may stand for. */
export interface DialedSpellings {
  /** The number if the text has its country code; digits without `+` or `00` are read as if `+` preceded them. */
  readonly exact: string | null;
  /** One per calling code, if the text may be a national number. */
  readonly national: readonly string[];
}

const visualSeparators = /[-.()\s/]/g;
const e164 = /^\+[1-9]\d{6,14}$/;
/** Italian numbers keep their leading zero abroad. */
const codesThatKeepTheZero: ReadonlySet<string> = new Set(['39']);

let callingCodes: ReadonlySet<string> | null = null;

/**
 * Reads a dialed number as SIP providers write it: `+31201111111`, `0031201111111`, `31201111111` or `0201111111`.
 * @see ITU-T E.164 §8
 */
export function dialedSpellings(dialed: string): DialedSpellings {
  const text = dialed.replace(visualSeparators, '');
  if (text.startsWith('+')) return { exact: checked(text), national: [] };
  if (!/^\d+$/.test(text)) return { exact: null, national: [] };
  if (text.startsWith('00')) return { exact: checked(`+${text.slice(2)}`), national: [] };
  callingCodes ??= new Set(getCountries().map((country) => getCountryCallingCode(country)));
  const withoutZero = text.replace(/^0/, '');
  const national = [...callingCodes]
    .map((code) => checked(`+${code}${codesThatKeepTheZero.has(code) ? text : withoutZero}`))
    .filter((number) => number !== null);
  return { exact: checked(`+${text}`), national };
}

function checked(number: string): string | null {
  return e164.test(number) ? number : null;
}
