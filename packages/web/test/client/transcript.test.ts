import { expect, it } from 'vitest';
import { withWords } from '../../src/client/transcript.ts';

it('transcript › replaces words that were not final by later ones of the same side', () => {
  const words = (role: 'user' | 'assistant', text: string, final: boolean) => ({
    role,
    text,
    final,
    interrupted: false,
  });
  const steps = [
    words('assistant', 'Hello there.', false),
    words('user', 'I', false),
    words('assistant', 'Hello', true),
    words('user', 'I would', true),
    words('user', 'like', true),
  ];
  const shown = steps.reduce<ReturnType<typeof withWords>>(withWords, []);
  expect(shown.map(({ role, text }) => `${role}: ${text}`)).toEqual([
    'assistant: Hello',
    'user: I would',
    'user: like',
  ]);
});
