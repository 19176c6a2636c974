import { describe, expect, it } from 'vitest';
import { txtMatches } from '../../src/mail/txt-match.ts';

const spf = 'v=spf1 include:amazonses.com ~all';

describe('a published SPF record', () => {
  it.each([
    ['is what was asked for', [spf]],
    ['stands beside other texts', ['google-site-verification=abc', spf]],
    ['is written in other letters and spaces', ['V=SPF1  include:AmazonSES.com   ~all ']],
    ['lets others send too', ['v=spf1 ip4:192.0.2.1 include:amazonses.com include:_spf.google.com -all']],
  ])('%s', (_, published) => {
    expect(txtMatches(spf, published)).toBe(true);
  });

  it.each([
    ['does not let the provider send', ['v=spf1 include:_spf.google.com ~all']],
    ['is one of two, which receivers take for an error', [spf, 'v=spf1 -all']],
    ['is no SPF record', ['spf1 include:amazonses.com ~all', 'v=spf10 include:amazonses.com']],
    ['is missing', []],
  ])('is not what was asked for where it %s', (_, published) => {
    expect(txtMatches(spf, published)).toBe(false);
  });

  it('is asked for in quotes by some providers', () => {
    expect(txtMatches(`"${spf}"`, [spf])).toBe(true);
  });
});

describe('a published DKIM key', () => {
  const dkim = 'p=MIGfMA0GCSqGSIb3DQEB+/AB==';

  it.each([
    ['is what was asked for', dkim],
    ['has more tags', `v=DKIM1; k=rsa; ${dkim}; `],
    ['has tags with escaped semicolons', `v=DKIM1\\; k=rsa\\; ${dkim}`],
    ['is broken into lines', 'k=rsa; p=MIGfMA0GCS qGSIb3\n DQEB+/AB=='],
    ['is in quotes', `"${dkim}"`],
  ])('%s', (_, published) => {
    expect(txtMatches(dkim, ['another text', published])).toBe(true);
  });

  it.each([
    ['is another key', 'p=MIGfMA0GCSqGSIb3DQEB+/AC=='],
    ['is in other letters, and so another key', dkim.toLowerCase()],
    ['is cut off', 'p=MIGfMA0GCSqGSIb3DQEB'],
    ['is revoked', 'v=DKIM1; p='],
  ])('is not what was asked for where it %s', (_, published) => {
    expect(txtMatches(dkim, [published])).toBe(false);
  });
});

describe('any other published text', () => {
  it('is what was asked for when it reads the same', () => {
    expect(txtMatches('proof-of-ownership 7', ['proof-of-ownership  7 '])).toBe(true);
    expect(txtMatches('proof-of-ownership 7', ['proof-of-ownership 8'])).toBe(false);
  });
});

// Security: a TXT record of a tenant's own domain took cubic time.
describe('a hostile record of 64 kB', () => {
  it.each([
    ['tabs within a value', `p=a${'\t'.repeat(64_000)}x`],
    ['spaces before a backslash', `p=a${' \\'.repeat(32_000)}x`],
    ['a name of spaces', `${' '.repeat(64_000)}p`],
    ['quotes', '"'.repeat(64_000)],
  ])('of %s is no match', (_, published) => {
    expect(txtMatches('p=MIGf', [published])).toBe(false);
  });
});
