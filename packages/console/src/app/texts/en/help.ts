export const help = {
  open: 'Help',
  title: (page: string) => `Help: ${page}`,
  ofPage: 'Keys of this page',
  everywhere: 'Keys of every page',
  rows: { j: 'Next row', k: 'Previous row', Enter: 'Open the row' },
  search: 'Search on this page',
  keys: [
    ['?', 'This help'],
    ['Esc', 'Close a dialog'],
    ['Tab', 'Next field, link or button'],
  ],
  /** Purpose of each page. The text of a list page also applies to its record pages if there is no `/one` text. */
  pages: {
    live:
      'Calls that go on right now, from the first ring to their end. Each row says what both sides do and what the ' +
      'agent waits for. Open a call to follow its transcript and to act on it.',
    'live/one':
      'One call as it goes on. Words in grey may still change, or were not heard. With the scope calls:write you can ' +
      'speak through the agent, give it context, press keys, transfer the call, mute the agent or end the call.',
    calls:
      'All calls, newest first. The search looks into transcripts. Filters and search are part of the address, so ' +
      'that a view can be sent to a colleague.',
    'calls/one':
      'The record of a call: its transcript beside the recording, the latency of each reply, tools, analysis, cost, ' +
      'media quality and webhooks. A time in the transcript plays the recording from there.',
    agents: 'The agents that answer and place calls. Create one from a template, or duplicate one that works.',
    'agents/one':
      'Settings of an agent, by topic. Nothing is sent before you save. The panel beside them calls the saved agent ' +
      'from this page.',
    campaigns: 'Lists of people that an agent calls, within calling hours and at a pace of your choice.',
    'campaigns/one':
      'Progress of a campaign as it happens, and its leads. Import people from a CSV file, which is checked before ' +
      'anything is stored. The export has the outcome of each lead.',
    usage:
      'Figures of a period by day, agent, campaign or end reason: how many calls, how long, how quick the replies, ' +
      'and what they cost. Days are those in UTC.',
    numbers:
      'Your numbers with the agents that answer them, and the trunks that carry the calls. The test call lets an ' +
      'agent call you.',
    webhooks: 'What was sent to your servers, newest first. A failed delivery can be sent again.',
    'webhooks/one': 'One delivery: its attempts, what your server answered, and the payload that it got.',
    keys: 'API keys for servers and publishable keys for web pages. The secret of an API key is shown once.',
    settings: 'The organization, the keys of its own provider accounts, its mail domain, and its do-not-call list.',
    health: 'Whether the service and its parts work. The checks are repeated while the page is open.',
  },
} as const;
