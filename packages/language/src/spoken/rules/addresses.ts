import { isSpace, wordEnd } from '../../text/scan.ts';
import { digitByDigit, letters, matchAt, type Reading, type Said } from './rule.ts';

const web = /https?:\/\/[^\s<>"“”()[\]]{1,800}/iy;
const mail = /(?:mailto:)?([\w.+-]{1,64})@((?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,24})(?![a-z0-9])/iy;
const domain = /(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,5}([a-z]{2,12})(?![a-z0-9])(\/[^\s<>"“”()[\]]{0,400})?/iy;
/** Without a scheme, only these make a domain: elsewhere a space may be missing after a full stop. */
const topLevels = new Set(
  'com net org nl be de eu co uk fr es ch info io app dev ai gov edu tv shop online nu biz amsterdam frl cloud tech store'.split(
    ' ',
  ),
);
/** What a web address says after its domain is left out when it is longer. */
const longestPath = 24;

/** Web and e-mail addresses, where a word may start with them. */
export function address(reading: Reading, at: number): Said | null {
  const { text } = reading;
  const before = text.charAt(at - 1);
  if (before !== '' && !isSpace(before) && !'([<"“\'*_:,'.includes(before)) return null;
  // Most words are followed by what no address has.
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
  const [host = '', ...path] = found.replace(/^https?:\/\//i, '').split('/');
  return { end: at + found.length, spoken: site(host.replace(/:\d+$/, ''), path.join('/'), reading) };
}

function bareDomain(reading: Reading, at: number): Said | null {
  const found = matchAt(domain, reading.text, at);
  if (found === null) return null;
  const [whole, top = '', path = ''] = found;
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

/** A host's labels; short ones without a vowel, and countries, letter by letter. */
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

/** The parts of a name with its marks between them; its digits one by one. */
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
