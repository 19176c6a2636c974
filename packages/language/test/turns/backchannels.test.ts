import { describe, expect, it } from 'vitest';
import { answersQuestion, isBackchannel } from '../../src/turns/backchannels.ts';
import { adversarialPieces, expectLinear } from '../support/adversarial.ts';

const listening: readonly (readonly [string | undefined, string])[] = [
  ['en', 'uh-huh'],
  ['en', 'Uh huh.'],
  ['en', 'mm-hmm yeah'],
  ['en', 'Mhm'],
  ['en', 'okay right'],
  ['en', 'Okay.'],
  ['en', 'yeaaah'],
  ['en', 'Yeah, yeah, yeah.'],
  ['en', 'mmmm'],
  ['en', 'hmmmmm...'],
  ['en', 'I see.'],
  ['en', 'oh I see, okay'],
  ['en', 'got it'],
  ['en', 'All right!'],
  ['en', 'sure'],
  ['en', 'Ahh, okay'],
  ['en', 'Makes sense'],
  ['en', 'That’s right'],
  [undefined, 'right'],
  ['nl', 'ja ja'],
  ['nl', 'jaja'],
  ['nl', 'Ja, ja, ja, ja, ja, ja.'],
  ['nl-NL', 'hmm oké'],
  ['nl', 'Precies.'],
  ['nl', 'aha'],
  ['nl', 'jaaaa'],
  ['nl', 'oh ja'],
  ['nl', 'ik snap het'],
  ['nl', 'oké, prima'],
  ['nl', 'dat klopt'],
  ['nl-BE', 'ja hoor'],
  ['nl', 'okay'],
  ['de', 'genau'],
  ['de', 'Ja, alles klar.'],
  ['fr', "d'accord"],
  ['fr', 'oui oui'],
  ['es', 'sí, claro'],
  ['it', 'sì, certo'],
  ['it', 'ho capito'],
  ['pt', 'tá bom, entendi'],
  ['ru', 'да, понятно'],
  ['ru', 'угу'],
];

const content: readonly (readonly [string | undefined, string])[] = [
  ['en', ''],
  ['en', '...'],
  ['en', 'yes please'],
  ['en', 'no'],
  ['en', 'nope'],
  ['en', 'uh-uh'],
  ['en', 'mm-mm'],
  ['en', 'wait'],
  ['en', 'stop'],
  ['en', 'okay but'],
  ['en', 'hold on'],
  ['en', 'right?'],
  ['en', 'okay?'],
  ['en', 'what'],
  ['en', 'okay so what about Friday'],
  ['en', 'yeah I need a table'],
  ['en', 'good morning'],
  ['en', 'god'],
  ['en', 'okay right sure yeah great'],
  ['nl', 'nee'],
  ['nl', 'ja maar'],
  ['nl', 'wacht'],
  ['nl', 'ho even'],
  ['nl', 'ja, morgen'],
  ['nl', 'oké maar dan'],
  ['nl', 'ja?'],
  ['nl', 'graag'],
  ['nl', 'stop maar'],
  ['de', 'nein'],
  ['de', 'ja aber'],
  ['fr', 'non'],
  ['es', 'no'],
  ['it', 'sì ma'],
  ['it', 'aspetti'],
  ['pt', 'não'],
  ['ru', 'нет'],
  ['ru', 'подождите'],
];

describe('isBackchannel', () => {
  it.each(listening)('is true for a backchannel (%s: %s)', (language, text) => {
    expect(isBackchannel(text, language, [])).toBe(true);
  });

  it.each(content)('is false for words that take the turn (%s: %s)', (language, text) => {
    expect(isBackchannel(text, language, [])).toBe(false);
  });

  it('includes the words and phrases that an agent adds', () => {
    expect(isBackchannel('roger that', 'en', [])).toBe(false);
    expect(isBackchannel('Roger that, okay', 'en', ['Roger that'])).toBe(true);
    expect(isBackchannel('Roger', 'en', ['Roger that'])).toBe(false);
  });

  it.each(adversarialPieces)('takes linear time for repeated %s', (_, piece) => {
    expectLinear(piece, (text) => isBackchannel(text, 'nl', ['a', 'uh']));
    expectLinear(piece, (text) => answersQuestion(text, 'en'));
  });
});

describe('answersQuestion', () => {
  it.each([
    ['en', 'yeah'],
    ['en', 'Yes.'],
    ['en', 'yes please'],
    ['en', 'uh yes'],
    ['en', 'okay'],
    ['en', 'sure'],
    ['en', 'mm-hmm'],
    ['en', 'uh-huh'],
    ['en', 'uh-uh'],
    ['en', 'no'],
    ['en', 'No, thank you.'],
    ['en', 'not really'],
    ['nl', 'ja'],
    ['nl', 'ja hoor'],
    ['nl', 'klopt'],
    ['nl', 'prima'],
    ['nl', 'goed'],
    ['nl', 'nee'],
    ['nl', 'Nee, dank u wel.'],
    ['nl', 'ja graag'],
    ['de', 'nein danke'],
    ['fr', 'oui merci'],
    ['es', 'no gracias'],
    ['it', 'no grazie'],
    ['pt', 'sim, por favor'],
    ['ru', 'нет, спасибо'],
  ])('is true for an answer (%s: %s)', (language, text) => {
    expect(answersQuestion(text, language)).toBe(true);
  });

  it.each([
    ['en', ''],
    ['en', 'hmm'],
    ['en', 'oh'],
    ['en', 'I see'],
    ['en', 'yes I need a table'],
    ['en', 'yes?'],
    ['nl', 'hmm'],
    ['nl', 'aha'],
    ['nl', 'ja maar morgen niet'],
  ])('is false for other words (%s: %s)', (language, text) => {
    expect(answersQuestion(text, language)).toBe(false);
  });
});
