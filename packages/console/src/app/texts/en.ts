import { call } from './en/call.ts';
import { calls } from './en/calls.ts';
import { health } from './en/health.ts';
import { help } from './en/help.ts';
import { live } from './en/live.ts';
import { usage } from './en/usage.ts';

/** All English texts of the console. Another language is a second object of this type. */
export const texts = {
  product: 'Voice agents',
  loading: 'Loading…',
  signIn: {
    title: 'Sign in',
    explanation: 'Sign in with an API key. It stays in the memory of this page.',
    apiKey: 'API key',
    submit: 'Sign in',
    refused: 'The service does not accept this key.',
  },
  dialog: { close: 'Close', cancel: 'Cancel' },
  marks: { changed: '(changed)', faulty: '(has faults)' },
  unheard: { label: '(Not heard:)', title: 'This part was not played.' },
  copy: { copy: 'Copy', done: 'Copied', failed: 'Not copied: select the text' },
  form: {
    add: 'Add',
    remove: 'Remove',
    save: 'Save',
    none: '–',
    onePerLine: 'One per line',
    byDefault: (value: string | undefined) => (value === undefined ? 'Default' : `Default: ${value}`),
    bounds: (minimum: number | undefined, maximum: number | undefined) =>
      minimum === undefined || maximum === undefined || maximum > 1e9
        ? undefined
        : `${minimum.toLocaleString()} to ${maximum.toLocaleString()}`,
    noJson: (reason: string) => `This is no JSON: ${reason}`,
  },
  costs: {
    columns: { provider: 'Provider', kind: 'Kind', quantity: 'Quantity', price: 'Price' },
    estimate: 'estimate',
    ownKey: 'own key',
    kind: (kind: string) =>
      `${kind.charAt(0).toUpperCase()}${kind.slice(1).replace(/_/g, ' ')}`.replace(/^(?:stt|tts)\b/i, (word) =>
        word.toUpperCase(),
      ),
  },
  errors: {
    requestId: 'Request',
    retry: 'Try again',
    unknownTitle: 'Not found',
    unknownPage: 'There is no such page.',
    toFirstPage: (page: string) => `Go to ${page}`,
  },
  shell: {
    skip: 'Skip to the content',
    signOut: 'Sign out',
    menu: 'Menu',
    pages: {
      live: 'Live',
      calls: 'Calls',
      agents: 'Agents',
      campaigns: 'Campaigns',
      usage: 'Usage and quality',
      numbers: 'Numbers',
      webhooks: 'Webhooks',
      keys: 'Keys',
      settings: 'Settings',
      health: 'Health',
    },
    notAllowed: (scope: string) => `Your key lacks the scope ${scope}.`,
  },
  live,
  call,
  calls,
  health,
  help,
  usage,
};
