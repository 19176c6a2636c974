import fc from 'fast-check';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import metadata from 'libphonenumber-js/min/metadata';
import { describe, expect, it } from 'vitest';
import { plainE164 } from '../../../src/domain/numbers/e164-plans.ts';
import { toE164 } from '../../../src/domain/numbers/phone-number.ts';

/** Parses the number with libphonenumber only. */
function verdict(text: string): string | null {
  const parsed = parsePhoneNumberFromString(text.trim().replace(/^00/, '+'));
  return parsed?.isPossible() ? parsed.number : null;
}

function sameAsLibrary(text: string): void {
  const expected = verdict(text);
  // An assertion takes as long as the parsing, so that only a difference makes one.
  if (toE164(text) !== expected) expect(toE164(text)).toBe(expected);
}

const callingCodes = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];
const networks = Object.keys(metadata.nonGeographic);
const digitsOf = (length: { minLength: number; maxLength: number }): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), length).map((each) => each.join(''));

/** National digits: arbitrary ones, and ones that begin like national prefixes. */
const national = fc
  .tuple(fc.constantFrom('', '', '', '0', '1', '8', '00', '01', '06', '90', '15', '549', '044'), fc.nat({ max: 13 }))
  .chain(([start, rest]) => digitsOf({ minLength: rest, maxLength: rest }).map((more) => `${start}${more}`));

const spaced = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom('', '', '', ' '), { minLength: text.length, maxLength: text.length })
    .map((gaps) => [...text].map((digit, n) => `${n === 0 ? '' : gaps[n]}${digit}`).join(''));

const written = (codes: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom('+', '+', '00'), fc.constantFrom(...codes), national).chain(([start, code, rest]) =>
    fc.oneof(
      fc.constant(`${start}${code}${rest}`),
      spaced(`${code}${rest}`).map((text) => `${start}${text}`),
    ),
  );

describe('parsing a phone number', () => {
  it('agrees with libphonenumber in every country', () => {
    for (const code of callingCodes) {
      fc.assert(fc.property(written([code]), sameAsLibrary), { numRuns: 300 });
    }
  });

  it('agrees with libphonenumber for non-geographic networks and invalid codes', () => {
    fc.assert(fc.property(fc.oneof(written([...networks, '999', '21', '0']), fc.string()), sameAsLibrary), {
      numRuns: 3_000,
    });
  });

  it.each(['+31612345678', '+31 6 12345678', '0031612345678', '+12133734253', '+442079460018'])(
    'does not need libphonenumber for the unambiguous number %s',
    (text) => {
      expect(plainE164(text)).toBe(verdict(text));
    },
  );

  it.each(['+3120', '+310612345678', '+31(0)612345678', '+80012345678', '+999123456789', '+5490111512345678'])(
    'leaves the ambiguous number %s to libphonenumber',
    (text) => {
      expect(plainE164(text)).toBeNull();
    },
  );
});
