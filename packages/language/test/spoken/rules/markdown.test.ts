import { describe, expect, it } from 'vitest';
import { isLineStart, markdown } from '../../../src/spoken/rules/markdown.ts';

/** Returns what the rule makes of the mark at "¦", which is not part of the text: the skipped text and its words. */
function ruled(marked: string): readonly [skipped: string, spoken: string] | null {
  const at = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  const said = markdown(text, at);
  return said === null ? null : [text.slice(at, said.end), said.spoken];
}

describe('isLineStart', () => {
  it.each([
    ['', 0, true],
    ['a', 0, true],
    ['a\nb', 2, true],
    ['  a', 2, true],
    ['x\n\t a', 4, true],
    ['a b', 2, false],
    ['a\n b c', 5, false],
    [`${' '.repeat(11)}a`, 11, true],
    [`${' '.repeat(13)}a`, 13, false],
  ])('of %j at %i is %s', (text, at, expected) => {
    expect(isLineStart(text, at)).toBe(expected);
  });
});

describe('markdown at the start of a line', () => {
  it.each([
    ['¦# Title', '# '],
    ['¦###### Title', '###### '],
    ['a\n¦## Title', '## '],
    ['¦- item', '- '],
    ['¦* item', '* '],
    ['¦• item', '• '],
    ['¦- [ ] open', '- [ ] '],
    ['¦- [X] done', '- [X] '],
    ['¦> quoted', '> '],
    ['¦>> quoted', '>> '],
    ['¦---', '---'],
    ['¦***', '***'],
    ['¦- - -', '- '],
    ['¦|---|:-:|', '|---|:-:|'],
    ['¦```js\ncode', '```js'],
  ])('skips the mark of %j', (text, skipped) => {
    expect(ruled(text)).toEqual([skipped, '']);
  });

  it.each(['¦#Title', '¦-5', '¦+31 6', 'a ¦# b', 'a ¦- b', 'a ¦> b'])('keeps the mark of %j', (text) => {
    expect(ruled(text)).toBeNull();
  });
});

describe('markdown within a line', () => {
  it.each([
    ['a ¦**b**', '**', ''],
    ['a **b¦** c', '**', ''],
    ['a ¦~~b~~', '~~', ''],
    ['a ¦`b`', '`', ''],
    ['a¦_b', '_', ' '],
    ['a ¦__b__', '__', ''],
    ['¦[text](url)', '[', ''],
    ['[text¦](url) more', '](url)', ''],
    ['[text¦](url "title")', '](url "title")', ''],
    ['[text¦](a_(b)) more', '](a_(b))', ''],
    ['[text¦][ref]', '][ref]', ''],
    ['¦![image](url)', '![', ''],
    ['said¦[1].', '[1]', ''],
    ['said¦[^12].', '[^12]', ''],
    ['a¦<br>b', '<br>', ' '],
    ['a¦</b>', '</b>', ' '],
    ['a¦<!-- x -->b', '<!-- x -->', ' '],
    ['a¦\\*b', '\\', ''],
    ['a¦ | b', ' | ', ', '],
  ])('skips in %j the mark %j for %j', (text, skipped, spoken) => {
    expect(ruled(text)).toEqual([skipped, spoken]);
  });

  it.each([
    ['a sign between numbers', '3¦*4'],
    ['a sign between spaces', '3 ¦* 4'],
    ['a bracket without a link', 'a ¦[note] b'],
    ['an exclamation mark', 'Stop¦! [a]'],
    ['a reference of four digits', 'said¦[1234]'],
    ['a sign of comparison', 'a ¦< b > c'],
    ['an e-mail address', '¦<info@example.com>'],
    ['a web address', '¦<https://example.com>'],
    ['a backslash before a letter', 'C:¦\\dir'],
    ['the end of a bracket', '(a¦) b'],
    ['a letter', '¦a'],
  ])('keeps %s', (_, text) => {
    expect(ruled(text)).toBeNull();
  });

  it('ignores marks that are longer than their limits', () => {
    expect(ruled(`¦[${'a'.repeat(300)}](url)`)).not.toBeNull();
    expect(ruled(`¦[${'a'.repeat(301)}](url)`)).toBeNull();
    expect(ruled(`a¦<b ${'x'.repeat(198)}>`)).not.toBeNull();
    expect(ruled(`a¦<b ${'x'.repeat(300)}>`)).toBeNull();
    expect(ruled(`[a¦](${'u'.repeat(1_000)})`)).not.toBeNull();
    expect(ruled(`[a¦](${'u'.repeat(1_001)})`)).toBeNull();
  });
});
