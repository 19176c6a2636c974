/** Texts of the onboarding page. */
export const startTexts = {
  title: 'Your first agent',
  link: 'Set up your first agent',
  steps: ['Engines', 'Template', 'Talk to it'],
  stepsLabel: 'Steps',
  enginesExplanation:
    'An agent needs a recognizer, a language model and a voice, or one speech-to-speech model. These providers ' +
    'accept a key of yours:',
  noCatalog: 'The service lists no providers. Enter the names under which your deployment has them.',
  columns: { provider: 'Provider', kind: 'Kind', key: 'Your key', actions: 'Actions' },
  kinds: {
    llm: 'Language model',
    stt: 'Speech recognition',
    tts: 'Voice',
    realtime: 'Speech-to-speech',
  } as Readonly<Record<string, string>>,
  use: 'Use',
  voices: 'Voices of the service',
  next: 'Next: the template',
  back: 'Back to the engines',
  ready: 'The agent is ready. Start a call, allow the microphone, and speak.',
  edit: 'Change the agent',
  notAllowed: 'Your key cannot create agents (scope agents:write).',
};
