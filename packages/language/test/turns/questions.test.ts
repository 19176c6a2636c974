import { describe, expect, it } from 'vitest';
import { isCompleteByWords } from '../../src/turns/completeness.ts';
import { questionKind } from '../../src/turns/questions.ts';

describe('questionKind', () => {
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
    ['Können Sie das wiederholen?', 'de', 'yesNo'],
    ['Darf ich Sie etwas fragen?', 'de', 'yesNo'],
    ['Wie lautet Ihre Telefonnummer?', 'de', 'details'],
    ['Was kann ich für Sie tun?', 'de', 'other'],
    ['Wie ist Ihre E-Mail-Adresse?', 'de', 'details'],
    ['Est-ce que cela vous convient ?', 'fr', 'yesNo'],
    ['Quel est votre numéro de téléphone ?', 'fr', 'details'],
    ['Que puis-je faire pour vous ?', 'fr', 'other'],
    ['Y a-t-il autre chose ?', 'fr', 'yesNo'],
    ['Avez-vous une réservation ?', 'fr', 'yesNo'],
    ['Quelle est votre adresse e-mail ?', 'fr', 'details'],
    ['¿Cuál es su número de teléfono?', 'es', 'details'],
    ['¿En qué puedo ayudarle?', 'es', 'other'],
    ['¿Es posible mañana?', 'es', 'yesNo'],
    ['¿Cómo se llama?', 'es', 'name'],
    ['¿Puede usted repetirlo?', 'es', 'yesNo'],
    ['È possibile domani?', 'it', 'yesNo'],
    ['Come si chiama?', 'it', 'name'],
    ['Come posso aiutarla?', 'it', 'other'],
    ['Qual è la sua e-mail?', 'it', 'details'],
    ['É possível amanhã?', 'pt', 'yesNo'],
    ['Como se chama?', 'pt', 'name'],
    ['Em que posso ajudar?', 'pt', 'other'],
    ['Qual é o seu número de telefone?', 'pt', 'details'],
    ['Можно ли завтра?', 'ru', 'yesNo'],
    ['Какой у вас номер телефона?', 'ru', 'details'],
    ['Чем могу помочь?', 'ru', 'other'],
    ['Вы можете повторить?', 'ru', 'yesNo'],
    ['Kan ik u ergens mee helpen?', 'nl', 'yesNo'],
    ['Wat is uw telefoonnummer?', 'nl', 'details'],
    ['Waarmee kan ik u helpen?', 'nl', 'other'],
    ['Hoe heet u?', 'nl', 'name'],
    ['Wat is uw postcode?', 'nl', 'details'],
  ])('classifies %j (%s) as %s', (text, language, kind) => {
    expect(questionKind(text, language)).toBe(kind);
  });

  it.each([
    ['What is your name? Please spell it.', 'a sentence after the question'],
    ['Your number is known.', 'a statement'],
    ['Thank you. Yes?', 'a word that asks to go on'],
    ['', 'an empty text'],
  ])('returns null for %j: %s', (text) => {
    expect(questionKind(text, 'en')).toBeNull();
  });

  it('examines only the end of a long text', () => {
    expect(questionKind(`${'Well. '.repeat(100_000)}Is it for two?`, 'en')).toBe('yesNo');
  });
});

describe('isCompleteByWords', () => {
  it.each([
    ['Yes, please.', true],
    ['Can I book a table for two?', true],
    ['I would like a table.', false],
    ['I would like to.', false],
  ])('returns for %j, without its final mark, %s', (text, expected) => {
    expect(isCompleteByWords(text, 'en')).toBe(expected);
  });
});
