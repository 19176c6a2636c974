import { entries } from '../../languages/lists.ts';
import { isSpace, isWordChar, wordEnd } from '../../text/scan.ts';
import { digitByDigit, letters, matchAt, type Reading, type Said } from './rule.ts';

const scheme = /[a-z][a-z0-9+.-]{1,15}:\/\//;
/** User information before a host (RFC 3986 §3.2.1), which may contain a password. */
const userInfo = /[^\s/?#<>"“”@]{1,200}@/;
const web = new RegExp(`${scheme.source}(?:${userInfo.source})?[^\\s<>"“”()[\\]]{1,800}`, 'iy');
const userInfoOfUrl = new RegExp(`(${scheme.source})${userInfo.source}`, 'iy');
const mail = /(?:mailto:)?([\w.+-]{1,64})@((?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,24})(?![a-z0-9])/iy;
const labels = /(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,5}/;
const path = /\/[^\s<>"“”()[\]]{0,400}/;
const domain = new RegExp(`${labels.source}([a-z]{2,12})(?![a-z0-9])(${path.source})?`, 'iy');
/** Top-level domains recognized without a scheme. Others may be two sentences without a space between them. */
const topLevels = new Set(
  entries(
    `com, net, org, nl, be, de, eu, co, uk, fr, es, ch, info, io, app, dev, ai, gov, edu, tv, shop, online, nu, biz,
      amsterdam, frl, cloud, tech, store`,
  ),
);
/** Longer paths of web addresses are not spoken. */
const longestPath = 24;

/** Reads a web or e-mail address that starts at `at`. */
export function address(reading: Reading, at: number): Said | null {
  const { text } = reading;
  const before = text.charAt(at - 1);
  if (before !== '' && !isSpace(before) && !'([<"“\'*_:,'.includes(before)) return null;
  // Fast exit: the character after most words cannot occur in an address.
  const next = text.charAt(wordEnd(text, at));
  if (next === '' || !'.@+-_:'.includes(next)) return null;
  return mailAddress(reading, at) ?? webAddress(reading, at) ?? bareDomain(reading, at);
}

function mailAddress(reading: Reading, at: number): Said | null {
  const found = matchAt(mail, reading.text, at);
  if (found === null) return null;
  const [whole, local = '', host = ''] = found;
  return {
    end: at + whole.length,
    spoken: `${spell(local, reading)} ${reading.language.signs.atSign} ${hostName(host, reading)}`,
  };
}

function webAddress(reading: Reading, at: number): Said | null {
  const found = matchAt(web, reading.text, at)?.[0].replace(/[.,;:!?'*_]{1,10}$/, '');
  if (found === undefined) return null;
  const [, authority = '', path = ''] = /^[^:]+:\/\/([^/?#]*)\/?(.*)$/s.exec(found) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  return host === '' ? null : { end: at + found.length, spoken: site(host, path, reading) };
}

/** Removes the user information of a URL in a language whose words for signs are unknown. */
export function withoutUserInfo(text: string, at: number): Said | null {
  const found = isWordChar(text.charAt(at - 1)) ? null : matchAt(userInfoOfUrl, text, at);
  return found === null ? null : { end: at + found[0].length, spoken: found[1] ?? '' };
}

function bareDomain(reading: Reading, at: number): Said | null {
  const found = matchAt(domain, reading.text, at);
  if (found === null) return null;
  const [whole, top = '', path = ''] = found;
  if (reading.language.abbreviations.has(whole.toLowerCase())) return null;
  if (!topLevels.has(top.toLowerCase()) && !/^www\./i.test(whole)) return null;
  const kept = path.replace(/[.,;:!?'*_]{1,10}$/, '');
  const host = whole.slice(0, whole.length - path.length);
  return { end: at + host.length + kept.length, spoken: site(host, kept.slice(1), reading) };
}

function site(host: string, path: string, reading: Reading): string {
  const name = hostName(host.replace(/^www\./i, ''), reading);
  const page = path.replace(/\/$/, '');
  const isShort = page !== '' && page.length <= longestPath && /^[\p{L}-]+$/u.test(page);
  return isShort ? `${name} ${reading.language.signs.slash} ${spell(page, reading)}` : name;
}

/** Reads the labels of a host name. Short labels without a vowel and country codes are spelled. */
function hostName(host: string, reading: Reading): string {
  const labels = host.split('.');
  return labels
    .map((label, i) => {
      const isCountry = i === labels.length - 1 && label.length === 2;
      const isInitials = /^[^aeiouy\d-]{2,5}$/i.test(label);
      return isCountry || isInitials ? letters(label) : spell(label, reading);
    })
    .join(` ${reading.language.signs.dot} `);
}

/** Reads the parts of a name with the marks between them, and its digits one by one. */
function spell(name: string, reading: Reading): string {
  const { signs } = reading.language;
  const marks: Readonly<Record<string, string>> = {
    '.': signs.dot,
    '-': signs.dash,
    _: signs.underscore,
    '+': signs.plus,
    '/': signs.slash,
  };
  const parts = name.match(/\d+|[.\-_+/]|[^\d.\-_+/]+/g) ?? [];
  return parts
    .map((part) => marks[part] ?? (/^\d/.test(part) ? digitByDigit(part, reading) : part))
    .filter((part) => part !== '')
    .join(' ');
}
