import { describe, expect, it } from 'vitest';
import { spoken } from '../../../src/languages/en/spoken.ts';
import { address, withoutUserInfo } from '../../../src/spoken/rules/addresses.ts';

/** Returns the address at "¦", which is not part of the text, and how it is read. */
function read(marked: string): readonly [written: string, spoken: string] | null {
  const at = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  const said = address({ text, language: spoken, region: '', numbers: spoken.numbers }, at);
  return said === null ? null : [text.slice(at, said.end), said.spoken];
}

describe('address', () => {
  it.each([
    ['¦info@example.com', 'info@example.com', 'info at example dot com'],
    ['mail ¦mailto:info@example.com.', 'mailto:info@example.com', 'info at example dot com'],
    ['(¦info@example.com)', 'info@example.com', 'info at example dot com'],
    [
      '¦a.b-c_d+e1@my-shop.co.uk',
      'a.b-c_d+e1@my-shop.co.uk',
      'a dot b dash c underscore d plus e one at my dash shop dot co dot U K',
    ],
    ['¦https://example.com', 'https://example.com', 'example dot com'],
    ['see ¦https://example.com/help.', 'https://example.com/help', 'example dot com slash help'],
    ['¦https://example.com:8443/help?x=1', 'https://example.com:8443/help?x=1', 'example dot com'],
    ['¦HTTP://EXAMPLE.COM', 'HTTP://EXAMPLE.COM', 'EXAMPLE dot COM'],
    ['"¦www.example.com"', 'www.example.com', 'example dot com'],
    ['¦www.example.museum', 'www.example.museum', 'example dot museum'],
    ['¦example.com, then', 'example.com', 'example dot com'],
    ['¦kpn.nl', 'kpn.nl', 'K P N dot N L'],
  ])('reads %j', (text, written, said) => {
    expect(read(text)).toEqual([written, said]);
  });

  it.each([
    ['two sentences without a space', '¦end.Next'],
    ['an unknown ending', '¦file.txt'],
    ['a part of a word', 'x¦example.com'],
    ['a part after a slash', '/¦example.com'],
    ['an abbreviation', '¦e.g. this'],
    ['a version', '¦1.2.3'],
    ['an address without a host', '¦https:///path'],
    ['a name without a domain', '¦info@example'],
    ['a word', '¦example'],
  ])('reads no address in %s', (_, text) => {
    expect(read(text)).toBeNull();
  });

  it('never reads a password', () => {
    const [, said = ''] = read('¦https://user:hunter2@example.com/login') ?? [];
    expect(said).toBe('example dot com slash login');
    const [, mail = ''] = read('¦ftp://a:hunter2@b.example.com') ?? [];
    expect(mail).not.toContain('hunter');
  });

  it('reads a path only if it is short and made of letters', () => {
    expect(read('¦example.com/opening-hours')?.[1]).toBe('example dot com slash opening dash hours');
    expect(read(`¦example.com/${'a'.repeat(24)}`)?.[1]).toContain('slash');
    for (const path of ['a'.repeat(25), 'a/b', 'a1', 'a?b', 'a%20b']) {
      expect(read(`¦example.com/${path}`)?.[1], path).toBe('example dot com');
    }
  });
});

describe('withoutUserInfo', () => {
  it.each([
    ['https://user:pass@example.com', 0, 'https://user:pass@', 'https://'],
    ['see ftp://me@example.com', 4, 'ftp://me@', 'ftp://'],
  ])('removes the user information of %j', (text, at, removed, said) => {
    expect(withoutUserInfo(text, at)).toEqual({ end: at + removed.length, spoken: said });
  });

  it.each([
    ['a URL without it', 'https://example.com', 0],
    ['an @ in the path', 'https://example.com/@user', 0],
    ['an e-mail address', 'info@example.com', 0],
    ['a place within a word', 'xhttps://a@b.c', 1],
  ])('returns null for %s', (_, text, at) => {
    expect(withoutUserInfo(text, at)).toBeNull();
  });
});
