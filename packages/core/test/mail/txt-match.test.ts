import { describe, expect, it } from 'vitest';
import { txtMatches } from '../../src/mail/txt-match.ts';

const spf = 'v=spf1 include:amazonses.com ~all';

describe('a published SPF record', () => {
  it.each([
    ['equals the expected record', [spf]],
    ['is published with other texts', ['google-site-verification=abc', spf]],
    ['differs in case and spacing', ['V=SPF1  include:AmazonSES.com   ~all ']],
    ['allows other senders too', ['v=spf1 ip4:192.0.2.1 include:amazonses.com include:_spf.google.com -all']],
  ])('matches when it %s', (_, published) => {
    expect(txtMatches(spf, published)).toBe(true);
  });

  it.each([
    ['does not allow the provider to send', ['v=spf1 include:_spf.google.com ~all']],
    ['is one of two SPF records, which receivers treat as an error', [spf, 'v=spf1 -all']],
    ['is no SPF record', ['spf1 include:amazonses.com ~all', 'v=spf10 include:amazonses.com']],
    ['is missing', []],
  ])('does not match when it %s', (_, published) => {
    expect(txtMatches(spf, published)).toBe(false);
  });

  it('matches an expected record that is quoted', () => {
    expect(txtMatches(`"${spf}"`, [spf])).toBe(true);
  });
});

describe('a published DKIM key', () => {
  const dkim = 'p=MIGfMA0GCSqGSIb3DQEB+/AB==';

  it.each([
    ['equals the expected record', dkim],
    ['has more tags', `v=DKIM1; k=rsa; ${dkim}; `],
    ['has tags with escaped semicolons', `v=DKIM1\\; k=rsa\\; ${dkim}`],
    ['is split into lines', 'k=rsa; p=MIGfMA0GCS qGSIb3\n DQEB+/AB=='],
    ['is in quotes', `"${dkim}"`],
  ])('matches when it %s', (_, published) => {
    expect(txtMatches(dkim, ['another text', published])).toBe(true);
  });

  it.each([
    ['is another key', 'p=MIGfMA0GCSqGSIb3DQEB+/AC=='],
    ['differs in case', dkim.toLowerCase()],
    ['is truncated', 'p=MIGfMA0GCSqGSIb3DQEB'],
    ['is revoked', 'v=DKIM1; p='],
  ])('does not match when it %s', (_, published) => {
    expect(txtMatches(dkim, [published])).toBe(false);
  });
});

describe('any other TXT record', () => {
  it('matches when the texts are equal apart from white space', () => {
    expect(txtMatches('proof-of-ownership 7', ['proof-of-ownership  7 '])).toBe(true);
    expect(txtMatches('proof-of-ownership 7', ['proof-of-ownership 8'])).toBe(false);
  });
});

// Security: matching a TXT record of a tenant's own domain took cubic time.
describe('a hostile record of 64 kB', () => {
  it.each([
    ['tabs within a value', `p=a${'\t'.repeat(64_000)}x`],
    ['spaces before a backslash', `p=a${' \\'.repeat(32_000)}x`],
    ['a name of spaces', `${' '.repeat(64_000)}p`],
    ['quotes', '"'.repeat(64_000)],
  ])('of %s does not match', (_, published) => {
    expect(txtMatches('p=MIGf', [published])).toBe(false);
  });
});
