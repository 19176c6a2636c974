import type { CallDirection, CallStatus, EndReason } from '@va/client';

const statuses: Readonly<Record<CallStatus, string>> = {
  queued: 'Queued',
  connecting: 'Connecting',
  'in-progress': 'In progress',
  ended: 'Ended',
  failed: 'Failed',
};

const directions: Readonly<Record<CallDirection, string>> = { inbound: 'Inbound', outbound: 'Outbound', web: 'Web' };

const endReasons: Readonly<Record<EndReason, string>> = {
  user_hangup: 'Caller hung up',
  agent_hangup: 'Agent hung up',
  api_hangup: 'Ended by the API',
  transferred: 'Transferred',
  max_duration: 'Maximum duration',
  budget_exceeded: 'Budget exceeded',
  silence_timeout: 'Silence',
  voicemail: 'Voicemail',
  canceled: 'Canceled',
  caller_abandoned: 'Caller abandoned',
  rejected_by_webhook: 'Rejected by webhook',
  rejected_inactive: 'Agent inactive',
  no_agent: 'No agent',
  insufficient_credits: 'No credits',
  concurrency_limit_exceeded: 'Too many calls',
  no_answer: 'No answer',
  busy: 'Busy',
  declined: 'Declined',
  invalid_destination: 'Invalid destination',
  dial_failed: 'Dial failed',
  stt_error: 'Speech recognition failed',
  llm_error: 'Model failed',
  tts_error: 'Speech synthesis failed',
  transport_error: 'Connection lost',
  worker_lost: 'Process lost',
  service_shutdown: 'Service shut down',
  internal_error: 'Internal error',
};

export const calls = {
  title: 'Calls',
  search: 'Search in transcripts',
  none: 'No calls',
  noneExplanation: 'Calls are here once an agent has answered or placed one.',
  noneFound: 'No call matches.',
  noneFoundExplanation: 'Change or clear the filters.',
  total: (count: string) => `${count} calls`,
  totalOfSearch: (count: string) => `The first ${count} calls that match. Narrow the search to see others.`,
  columns: { when: 'When', who: 'With', agent: 'Agent', duration: 'Duration', end: 'End', latency: 'Latency' },
  unknownCaller: 'Unknown',
  webCaller: 'Web page',
  ended: (count: number) =>
    count === 1 ? '1 call has ended since. Refresh' : `${count} calls have ended since. Refresh`,
  filters: {
    label: 'Filters',
    status: 'Status',
    agent: 'Agent',
    number: 'Number',
    campaign: 'Campaign',
    direction: 'Direction',
    endReason: 'End reason',
    phone: 'Phone',
    from: 'From',
    to: 'To',
    any: 'Any',
    clear: 'Clear filters',
  },
  statuses,
  directions,
  endReasons,
};
