import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeClauses } from '../../src/sentences/clauses.ts';
import { adversarialPieces, expectLinear } from '../support/adversarial.ts';

/** Returns the clauses of a text that arrives in pieces of `size` characters. */
function streamed(text: string, size: number, first: boolean, language?: string): string[] {
  let rest = '';
  const clauses: string[] = [];
  for (let at = 0; at < text.length; at += size) {
    const taken = takeClauses(rest + text.slice(at, at + size), first && clauses.length === 0, language);
    clauses.push(...taken.clauses);
    rest = taken.rest;
  }
  return rest.trim() === '' ? clauses : [...clauses, rest.trim()];
}

const squeezed = (text: string): string => text.replace(/\s+/g, '');

describe('takeClauses', () => {
  it('returns whole sentences and keeps what may continue', () => {
    expect(takeClauses('One. Two! Thr', true)).toEqual({ clauses: ['One.', 'Two!'], rest: 'Thr' });
    expect(takeClauses('It costs 3.50 and', true)).toEqual({ clauses: [], rest: 'It costs 3.50 and' });
  });

  it('ends a first clause at a comma once it is long enough', () => {
    const text = 'I have checked the calendar, and there is';
    expect(takeClauses(text, true)).toEqual({ clauses: ['I have checked the calendar,'], rest: 'and there is' });
    expect(takeClauses(text, false)).toEqual({ clauses: [], rest: text });
    expect(takeClauses('Yes, of course', true)).toEqual({ clauses: [], rest: 'Yes, of course' });
  });

  it.each([
    ['en', 'I have checked that for you and we', 'I have checked that for you', 'and we'],
    ['en', 'We can do it tomorrow but only', 'We can do it tomorrow', 'but only'],
    ['nl', 'Ik heb het voor u nagekeken en er', 'Ik heb het voor u nagekeken', 'en er'],
    ['nl', 'Dat kan morgen ook maar dan', 'Dat kan morgen ook', 'maar dan'],
    ['nl', 'Dat gaat vandaag niet lukken want we', 'Dat gaat vandaag niet lukken', 'want we'],
    ['en', 'There are two options: a room', 'There are two options:', 'a room'],
    ['en', 'That is no problem — we will', 'That is no problem —', 'we will'],
    ['en', 'Of course, let me', 'Of course,', 'let me'],
    ['en', 'Sure, let me', 'Sure,', 'let me'],
    ['nl', 'Goedemorgen, u spreekt', 'Goedemorgen,', 'u spreekt'],
    ['nl-BE', 'Natuurlijk, ik kijk', 'Natuurlijk,', 'ik kijk'],
    ['de', 'Guten Tag, Sie sprechen', 'Guten Tag,', 'Sie sprechen'],
  ])('ends the first clause early where it sounds natural (%s: %s)', (language, text, clause, rest) => {
    expect(takeClauses(text, true, language)).toEqual({ clauses: [clause], rest });
  });

  it.each([
    ['en', 'John and Mary are'],
    ['en', 'My dear, would'],
    ['en', 'The total comes to two hundred and fifty'],
    ['en', 'It will be somewhere between 10 and 20'],
    ['nl', 'Jan en Piet komen'],
    ['nl', 'Het kost honderd en'],
    ['en', 'I said "yes, you may, and'],
    ['en', 'That costs about $1,250'],
  ])('does not end the first clause where it sounds cut off (%s: %s)', (language, text) => {
    expect(takeClauses(text, true, language)).toEqual({ clauses: [], rest: text });
  });

  it.each([
    ['en', 'Dr. Smith is in. He waits.', ['Dr. Smith is in.', 'He waits.']],
    ['en', 'Bring some ID, e.g. this one. Thanks.', ['Bring some ID, e.g. this one.', 'Thanks.']],
    [
      'en',
      'Pens, paper, etc. are there. Pens, paper, etc. Good.',
      ['Pens, paper, etc. are there.', 'Pens, paper, etc.', 'Good.'],
    ],
    ['en', 'Take No. 5 please. No. That one.', ['Take No. 5 please.', 'No.', 'That one.']],
    ['en', 'Ask J. P. Morgan there. So do I. Then go.', ['Ask J. P. Morgan there.', 'So do I.', 'Then go.']],
    [
      'en',
      'We open at 9 a.m. on Mondays. Come at 9 a.m. You will see.',
      ['We open at 9 a.m. on Mondays.', 'Come at 9 a.m.', 'You will see.'],
    ],
    ['en', 'It is 3.5 percent. Fine.', ['It is 3.5 percent.', 'Fine.']],
    ['en', 'Well... maybe that works. Well... Maybe.', ['Well... maybe that works.', 'Well...', 'Maybe.']],
    ['en', 'Yes… it is! No.', ['Yes… it is!', 'No.']],
    ['en', 'She said "Go. Now. Please" and left. Then', ['She said "Go. Now. Please" and left.', 'Then']],
    ['en', 'He said "all right." Then he left.', ['He said "all right."', 'Then he left.']],
    ['en', '“Is it?” she asked. Yes.', ['“Is it?” she asked.', 'Yes.']],
    ['en', 'It is (as you know. Or not) here. Yes.', ['It is (as you know. Or not) here.', 'Yes.']],
    ['en', '**Sure!** We can. *Right.* Now.', ['**Sure!**', 'We can.', '*Right.*', 'Now.']],
    ['nl', 'Dat kan bijv. morgen. Of dhr. J. Jansen belt.', ['Dat kan bijv. morgen.', 'Of dhr. J. Jansen belt.']],
    ['nl', 'Dat is nr. 5. Nr. Dat niet.', ['Dat is nr. 5.', 'Nr.', 'Dat niet.']],
    ['nl', 'Neem o.a. melk mee, d.w.z. verse melk. Prima.', ['Neem o.a. melk mee, d.w.z. verse melk.', 'Prima.']],
    ['de', 'Wir sehen uns am 21. März um drei. Gut.', ['Wir sehen uns am 21. März um drei.', 'Gut.']],
    ['de', 'Heute ist 21. Mai. Es sind 12. Danke.', ['Heute ist 21. Mai.', 'Es sind 12.', 'Danke.']],
    ['de', 'Das geht z.B. morgen. Ja.', ['Das geht z.B. morgen.', 'Ja.']],
    ['fr', 'Mme. Dupont est là. Oui.', ['Mme. Dupont est là.', 'Oui.']],
    ['es', 'La Sra. López está. Sí.', ['La Sra. López está.', 'Sí.']],
    ['it', 'Il dott. Rossi è qui. Sì.', ['Il dott. Rossi è qui.', 'Sì.']],
    ['pt', 'A Sra. Silva está. Sim.', ['A Sra. Silva está.', 'Sim.']],
    ['ru', 'Это на ул. Мира. Да.', ['Это на ул. Мира.', 'Да.']],
    ['en', '1. Open the app\n2. Log in\n- Done', ['1. Open the app', '2. Log in', '- Done']],
    ['ja', 'はい。そうです。', ['はい。', 'そうです。']],
    ['de', 'Hr. Weber kommt um 3. Das passt.', ['Hr. Weber kommt um 3.', 'Das passt.']],
    ['de', 'Wir haben Pizza, Pasta usw. Was möchten Sie?', ['Wir haben Pizza, Pasta usw.', 'Was möchten Sie?']],
    ['de', 'Nehmen Sie Nr. 5. Danke.', ['Nehmen Sie Nr. 5.', 'Danke.']],
    ['de', 'Am 3. Oktober ist zu. Am 4. nicht.', ['Am 3. Oktober ist zu.', 'Am 4. nicht.']],
    ['de', 'Das ist d.h. morgen. Ja.', ['Das ist d.h. morgen.', 'Ja.']],
    ['de', 'Im 2. Stock links. Gut.', ['Im 2. Stock links.', 'Gut.']],
    ['fr', 'M. Petit est là. Oui.', ['M. Petit est là.', 'Oui.']],
    ['fr', 'Il y a du thé, du café, etc. Voulez-vous ?', ['Il y a du thé, du café, etc.', 'Voulez-vous ?']],
    ['fr', 'Prenez p.ex. demain. Merci.', ['Prenez p.ex. demain.', 'Merci.']],
    ['es', 'El Dr. Ruiz está. Gracias.', ['El Dr. Ruiz está.', 'Gracias.']],
    ['es', 'Té, café, etc. ¿Algo más? Sí.', ['Té, café, etc.', '¿Algo más?', 'Sí.']],
    ['es', 'Son las 9 a.m. Venga.', ['Son las 9 a.m.', 'Venga.']],
    ['it', 'La dott.ssa Verdi è qui. Sì.', ['La dott.ssa Verdi è qui.', 'Sì.']],
    ['it', 'Pizza, pasta, ecc. Desidera altro?', ['Pizza, pasta, ecc.', 'Desidera altro?']],
    ['it', 'Vada in via Roma n. 5. Grazie.', ['Vada in via Roma n. 5.', 'Grazie.']],
    ['pt', 'O Dr. Sousa está. Obrigado.', ['O Dr. Sousa está.', 'Obrigado.']],
    ['pt', 'Chá, café, etc. Mais alguma coisa?', ['Chá, café, etc.', 'Mais alguma coisa?']],
    ['ru', 'Чай, кофе и т.д. Что желаете?', ['Чай, кофе и т.д.', 'Что желаете?']],
    ['ru', 'Это г-н Иванов, т.е. директор. Да.', ['Это г-н Иванов, т.е. директор.', 'Да.']],
    ['nl', 'Mevr. Bakker en dhr. Smit komen. Goed.', ['Mevr. Bakker en dhr. Smit komen.', 'Goed.']],
    ['nl', 'Thee, koffie, enz. Wilt u iets?', ['Thee, koffie, enz.', 'Wilt u iets?']],
    ['en', 'The U.S. Open is on. I see.', ['The U.S. Open is on.', 'I see.']],
    ['en', 'It is on 5th Ave. Come by.', ['It is on 5th Ave.', 'Come by.']],
    ['en', 'Is it 3.5? Yes! It is.', ['Is it 3.5?', 'Yes!', 'It is.']],
    ['en', 'Prof. Lee, Ph.D. is in. Ok.', ['Prof. Lee, Ph.D. is in.', 'Ok.']],
  ])('ends sentences at the right dots in pieces of any size (%s: %s)', (language, text, clauses) => {
    for (const size of [1, 3, text.length]) expect(streamed(text, size, false, language)).toEqual(clauses);
  });

  it('does not wait for a quotation that never closes', () => {
    const text = `He has a 5" screen. And "a quote that ${'never '.repeat(20)}closes. Then more. And `;
    expect(takeClauses(text, false).clauses).toHaveLength(3);
  });

  it('cuts a sentence that is too long at its last comma or else at a space', () => {
    const long = `${'word '.repeat(30)}and, ${'more '.repeat(20)}`;
    const [clause, ...others] = takeClauses(long, false).clauses;
    expect(clause).toMatch(/and,$/);
    expect(others).toEqual([]);
    const plain = takeClauses('word '.repeat(100), false).clauses;
    expect(plain.length).toBeGreaterThan(1);
    for (const each of plain) expect(each.length).toBeLessThanOrEqual(200);
  });

  it('never splits a code block', () => {
    const block = '```js\nconst a = 1. Then();\n\nrun();\n```';
    expect(takeClauses(block.slice(0, -3), false)).toEqual({ clauses: [], rest: block.slice(0, -3) });
    expect(takeClauses(`Look:\n${block}\nDone. `, false).clauses).toEqual(['Look:', block, 'Done.']);
  });

  it('keeps every letter in pieces of any size', () => {
    const text = 'Well, let me see. That is "all right." Is it? Yes… it is! Dr. No (e.g. him) said: 3.5, and left.';
    for (let size = 1; size < text.length; size++) {
      expect(streamed(text, size, true).join(' ').replace(/\s+/g, ' ').trim()).toBe(text);
    }
  });

  it('keeps every letter of any text', () => {
    const piece = fc.constantFrom(
      'a',
      'Dr',
      '. ',
      ', ',
      ' and ',
      '"',
      '(',
      ')',
      '…',
      '\n',
      '```',
      '*',
      '1',
      'é',
      '? ',
      ' ',
      '`',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
        const text = pieces.join('');
        expect(squeezed(streamed(text, size, true).join(''))).toBe(squeezed(text));
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it.each(adversarialPieces)('takes linear time for repeated %s', (_, piece) => {
    expectLinear(piece, (text) => takeClauses(text, true, 'nl'));
    expectLinear(piece, (text) => takeClauses(text, false, 'de'));
  });
});
