import { describe, expect, it } from 'vitest';
import { completeness } from '../../src/turns/completeness.ts';
import { adversarialPieces, expectLinear } from '../support/adversarial.ts';
import { dutchRows, englishRows, otherRows } from './completeness-rows.ts';

describe('completeness', () => {
  it.each(englishRows)('judges English %j as %s', (text, expected) => {
    expect(completeness(text, 'en-US')).toBe(expected);
  });

  it.each(dutchRows)('judges Dutch %j as %s', (text, expected) => {
    expect(completeness(text, 'nl-NL')).toBe(expected);
  });

  it.each(otherRows)('judges (%s) %j as %s', (language, text, expected) => {
    expect(completeness(text, language)).toBe(expected);
  });

  it('uses English for an unknown language', () => {
    expect(completeness('my name is', undefined)).toBe('unfinished');
    expect(completeness('my name is', 'xx')).toBe('unfinished');
  });

  it.each(adversarialPieces)('takes linear time for repeated %s', (_, piece) => {
    expectLinear(piece, (text) => completeness(text, 'nl'));
  });
});
