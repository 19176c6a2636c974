import { isDigit, isSpace, isWordChar } from '../../text/scan.ts';
import { matchAt, type Said } from './rule.ts';

const heading = /#{1,6}[ \t]{1,20}/y;
const bullet = /[-*+•‣▪●][ \t]{1,20}(?:\[[ xX]\][ \t]{1,4})?/y;
const quote = />{1,6}[ \t]{0,4}/y;
const cellRule = /[ \t]{0,9}:?-{1,400}:?[ \t]{0,9}/.source;
const rule = new RegExp(`\\|?${cellRule}(?:\\|${cellRule}){0,60}\\|?(?=\\n|$)|(?:[*_=][ \\t]?){3,200}(?=\\n|$)`, 'y');
const fence = /`{3,10}[^\s`]{0,40}/y;
const tag = /<\/?[a-z][^<>\n@:]{0,200}>|<!--[^<>]{0,500}-->/iy;
const linkEnd = /\]\((?:[^()\s]|\([^()\s]{0,100}\)){0,1000}(?:[ \t]{1,4}"[^"\n]{0,200}")?\)|\]\[[^[\]\n]{0,60}\]/y;
const linkText = /!?\[[^[\]\n]{0,300}(?=\]\(|\]\[)/y;
const citation = /\[\^?\d{1,3}\]/y;
const emphasis = /\*{1,3}|~~/y;
const tableBar = /[ \t]{0,8}\|[ \t]{0,8}/y;

/** Skips Markdown and HTML marks at `at`. */
export function markdown(text: string, at: number): Said | null {
  const char = text.charAt(at);
  if ('#-*+•‣▪●>`|_='.includes(char) && isLineStart(text, at)) {
    for (const pattern of [rule, heading, bullet, quote, fence]) {
      const found = matchAt(pattern, text, at);
      if (found !== null) return { end: at + found[0].length, spoken: '' };
    }
  }
  switch (char) {
    case '`':
      return { end: at + (matchAt(fence, text, at)?.[0].length ?? 1), spoken: '' };
    case '*':
    case '~':
      return emphasized(text, at);
    case '_':
      return underscored(text, at);
    case '[':
    case '!':
      return bracketed(text, at);
    case ']':
      return ended(linkEnd, text, at, '');
    case '<':
      return ended(tag, text, at, ' ');
    case '|':
      return bar(text, at);
    case ' ':
      return text.charAt(at + 1) === '|' ? bar(text, at) : null;
    case '\\':
      return /[\\`*_{}[\]()#+\-.!|>~]/.test(text.charAt(at + 1)) ? { end: at + 1, spoken: '' } : null;
    default:
      return null;
  }
}

export function isLineStart(text: string, at: number): boolean {
  let before = at;
  while (before > 0 && at - before < 12 && (text.charAt(before - 1) === ' ' || text.charAt(before - 1) === '\t')) {
    before -= 1;
  }
  return before === 0 || text.charAt(before - 1) === '\n';
}

function ended(pattern: RegExp, text: string, at: number, spoken: string): Said | null {
  const found = matchAt(pattern, text, at);
  return found === null ? null : { end: at + found[0].length, spoken };
}

function emphasized(text: string, at: number): Said | null {
  const found = matchAt(emphasis, text, at);
  if (found === null) return null;
  const end = at + found[0].length;
  // An asterisk between digits or spaces is a multiplication sign.
  const isSign = isSpace(text.charAt(at - 1))
    ? isSpace(text.charAt(end))
    : isDigit(text.charAt(at - 1)) && isDigit(text.charAt(end));
  return isSign && found[0] === '*' ? null : { end, spoken: '' };
}

function underscored(text: string, at: number): Said {
  let end = at + 1;
  while (text.charAt(end) === '_') end += 1;
  return { end, spoken: isWordChar(text.charAt(at - 1)) && isWordChar(text.charAt(end)) ? ' ' : '' };
}

/** Skips the marks of a link, but not its text, and source references such as "[1]". */
function bracketed(text: string, at: number): Said | null {
  if (matchAt(linkText, text, at) !== null) return { end: at + (text.charAt(at) === '!' ? 2 : 1), spoken: '' };
  return ended(citation, text, at, '');
}

/** Reads the bars between the cells of a table row as commas of a list. */
function bar(text: string, at: number): Said {
  const end = at + (matchAt(tableBar, text, at)?.[0].length ?? 1);
  const isEdge = isLineStart(text, at) || end >= text.length || text.charAt(end) === '\n';
  return { end, spoken: isEdge ? ' ' : ', ' };
}
