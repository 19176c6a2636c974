import { call } from './en/call.ts';
import { calls } from './en/calls.ts';
import { health } from './en/health.ts';
import { usage } from './en/usage.ts';

/** All texts of the console in English. Another language is a second file of this shape. */
export const texts = {
  product: 'Voice agents',
  loading: 'Loading…',
  signIn: {
    explanation: 'Sign in with an API key. It stays in the memory of this page.',
    apiKey: 'API key',
    submit: 'Sign in',
    refused: 'The service does not accept this key.',
  },
  errors: { requestId: 'Request', retry: 'Try again', unknownPage: 'There is no such page.' },
  shell: {
    skip: 'Skip to the content',
    signOut: 'Sign out',
    menu: 'Menu',
    pages: { calls: 'Calls', usage: 'Usage and quality', health: 'Health' },
    notAllowed: (scope: string) => `Your key lacks the scope ${scope}.`,
  },
  call,
  calls,
  health,
  usage,
};
