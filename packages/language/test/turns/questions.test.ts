import { describe, expect, it } from 'vitest';
import { isCompleteByWords, questionKind } from '../../src/index.ts';

describe('what a question asks for', () => {
  it.each([
    ['Shall I book it? Is it for two?', 'en', 'yesNo'],
    ['Can you tell me your phone number?', 'en', 'details'],
    ['What is your last name?', 'en', 'name'],
    ['What can I do for you?', 'en', 'other'],
    ['Heeft u een reservering?', 'nl', 'yesNo'],
    ['Wat is uw achternaam?', 'nl', 'name'],
    ['Wie ist Ihr Nachname?', 'de', 'name'],
    ['¿Cuál es su apellido?', 'es', 'name'],
    ['Quel est votre nom ?', 'fr', 'name'],
    ['Qual è il suo cognome?', 'it', 'name'],
    ['Mi dice il suo numero di telefono?', 'it', 'details'],
    ['Qual é o seu nome?', 'pt', 'name'],
    ['Как вас зовут?', 'ru', 'name'],
    ['У вас есть бронь?', 'ru', 'yesNo'],
  ])('"%s" (%s): %s', (text, language, kind) => {
    expect(questionKind(text, language)).toBe(kind);
  });

  it.each([
    ['What is your name? Please spell it.', 'a sentence after the question'],
    ['Your number is known.', 'a statement'],
    ['Thank you. Yes?', 'a word that asks to go on'],
    ['', 'an empty text'],
  ])('"%s" is no question: %s', (text) => {
    expect(questionKind(text, 'en')).toBeNull();
  });

  it('is found at the end of a long text, and takes no longer for it', () => {
    expect(questionKind(`${'Well. '.repeat(100_000)}Is it for two?`, 'en')).toBe('yesNo');
  });
});

describe('words that are complete without their final mark', () => {
  it.each([
    ['Yes, please.', true],
    ['Can I book a table for two?', true],
    ['I would like a table.', false],
    ['I would like to.', false],
  ])('"%s": %s', (text, expected) => {
    expect(isCompleteByWords(text, 'en')).toBe(expected);
  });
});
