import { describe, expect, it } from 'vitest';
import { recordNames } from '../../src/mail/record-names.ts';

describe('the host names of a DNS record', () => {
  it.each([
    ['send', 'example.com', ['send.example.com']],
    ['resend._domainkey', 'example.com', ['resend._domainkey.example.com']],
    ['@', 'news.example.com', ['news.example.com']],
    ['', 'example.com', ['example.com']],
    ['example.com', 'example.com', ['example.com']],
    ['send.example.com', 'example.com', ['send.example.com']],
    ['send.example.com.', 'example.com', ['send.example.com']],
    ['mail.elsewhere.net.', 'example.com', ['mail.elsewhere.net']],
    ['Send.Example.COM', 'example.com', ['send.example.com']],
    ['send', 'news.example.com', ['send.news.example.com']],
    ['send.news', 'news.example.com', ['send.news.example.com', 'send.news.news.example.com']],
    ['send.a.b', 'a.b.example.com', ['send.a.b.example.com', 'send.a.b.a.b.example.com']],
    ['send', 'send.example.com', ['send.example.com', 'send.send.example.com']],
    ['mynews', 'news.example.com', ['mynews.news.example.com']],
  ])('for %j in the domain %s are %j', (name, domain, names) => {
    expect(recordNames(name, domain)).toEqual(names);
  });
});
