import { describe, expect, it } from 'vitest';
import { greetingHint } from '../../src/amd/greeting-hint.ts';

describe('greetingHint', () => {
  it.each([
    ['Please state your name and after the tone I will see', 'screening'],
    ['You have reached Jan, leave a message after the tone', 'voicemail'],
    ['Welcome to Acme, for sales press one', 'ivr'],
    ['You have reached the office of Jan', 'likely-voicemail'],
    ['Thank you for calling Acme, how can I help?', 'human'],
    ['Thank you for calling Acme', 'likely-ivr'],
    ['Jan speaking', null],
    ['', null],
  ])('is for %j the most certain of its phrases: %s', (text, hint) => {
    expect(greetingHint(text, 'en')).toBe(hint);
  });

  it('ranks a menu above words that a voicemail may use as well, and these above those of a person', () => {
    expect(greetingHint('You have reached Acme, press 1 for sales', 'en')).toBe('ivr');
    expect(greetingHint('Press 1 or leave a message', 'en')).toBe('voicemail');
    expect(greetingHint('You have reached Acme, how can I help', 'en')).toBe('likely-voicemail');
  });

  it('ignores case, punctuation and the kind of apostrophe', () => {
    expect(greetingHint('LEAVE… A MESSAGE!', 'en')).toBe('voicemail');
    expect(greetingHint('I can’t take your call', 'en')).toBe('voicemail');
    expect(greetingHint('Leave\n  a   message', 'en')).toBe('voicemail');
  });

  it('matches whole words', () => {
    expect(greetingHint('the voicemails', 'en')).toBeNull();
    expect(greetingHint('impress one', 'en')).toBeNull();
    expect(greetingHint('press onerous', 'en')).toBeNull();
    expect(greetingHint('voicemail', 'en')).toBe('voicemail');
  });

  it('matches letters with marks in either form of Unicode', () => {
    const text = 'toets één'.normalize('NFD');
    expect(greetingHint(text, 'nl')).toBe('ivr');
  });

  it('knows English beside the language of the call, and no third one', () => {
    expect(greetingHint('spreek een bericht in', 'nl-BE')).toBe('voicemail');
    expect(greetingHint('please leave a message', 'nl')).toBe('voicemail');
    expect(greetingHint('hinterlassen Sie eine Nachricht', 'nl')).toBeNull();
    expect(greetingHint('hinterlassen Sie eine Nachricht', 'de')).toBe('voicemail');
  });

  it('uses English for an unknown language', () => {
    expect(greetingHint('leave a message', 'xx')).toBe('voicemail');
    expect(greetingHint('leave a message', undefined)).toBe('voicemail');
  });

  it('examines the first 2,000 characters', () => {
    const before = (length: number): string => 'a '.repeat(length / 2);
    expect(greetingHint(`${before(1_980)}voicemail`, 'en')).toBe('voicemail');
    expect(greetingHint(`${before(2_000)}voicemail`, 'en')).toBeNull();
  });
});
