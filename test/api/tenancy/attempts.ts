import type { RowRequest } from '../contract/row.ts';
import type { World } from './world.ts';

/** A request that contains the id of another organization's record in one place. */
export interface Attempt {
  /** The place of the id. */
  readonly at: string;
  /** Returns the id of the other organization's record. */
  readonly id: (other: World) => string;
  readonly request: (id: string, own: World) => RowRequest;
  /** 404, unless the id is in a body or a filter. */
  readonly status: number;
}

type Kind = Exclude<keyof World, 'tenant'>;

function attempt(at: string, kind: Kind, request: Attempt['request'], status = 404): Attempt {
  return { at, id: (other) => other[kind], request, status };
}

const inPath = (kind: Kind, rest: RowRequest = {}): Attempt[] => [
  attempt('the path', kind, (id) => ({ params: [id], ...rest })),
];

/** Puts the id in one field of an otherwise valid body. */
const inBody = (field: string, kind: Kind, request: (own: World) => RowRequest): Attempt =>
  attempt(
    field,
    kind,
    (id, own) => {
      const { json, ...rest } = request(own);
      return { ...rest, json: { ...Object(json), [field]: id } };
    },
    400,
  );

const inFilter = (field: string, kind: Kind): Attempt =>
  attempt(`?${field}`, kind, (id) => ({ query: `${field}=${id}` }), 200);

const destination = { destination: '+31201234567' };
const campaign = { name: 'C', schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'UTC' };
const csv = { headers: { 'content-type': 'text/csv' }, body: 'phone_number\n+31201234567\n' };

const commands = [
  { type: 'say', content: 'Hello' },
  { type: 'inject-context', content: 'Context' },
  { type: 'end-call' },
  { type: 'transfer', destination: '+31201234567' },
  { type: 'mute-assistant' },
  { type: 'send-dtmf', digits: '1' },
  { type: 'set-variables', variables: { a: 1 } },
];

/**
 * For each operation, every place that accepts an id, tried with ids of another organization. Operations without ids
 * have an empty list; the suite still checks that they affect and return only the caller's own records.
 */
export const attempts: Readonly<Record<string, readonly Attempt[]>> = {
  'GET /agents': [],
  'POST /agents': [],
  'GET /agents/{id}': inPath('agent'),
  'PATCH /agents/{id}': inPath('agent', { json: { name: 'Taken' } }),
  'DELETE /agents/{id}': inPath('agent'),
  'POST /agents/{id}/webhook/test': inPath('agent'),
  'POST /agents/{id}/tools': [
    attempt('the path', 'agent', (id, own) => ({ params: [id], json: { tool_template_id: own.toolTemplate } })),
    attempt('tool_template_id', 'toolTemplate', (id, own) => ({ params: [own.agent], json: { tool_template_id: id } })),
  ],
  'POST /agents/{id}/tools/try': inPath('agent', { json: { name: 'endCall' } }),

  'GET /tool-templates': [],
  'POST /tool-templates': [],
  'GET /tool-templates/{id}': inPath('toolTemplate'),
  'PATCH /tool-templates/{id}': inPath('toolTemplate', { json: { name: 'Taken' } }),
  'DELETE /tool-templates/{id}': inPath('toolTemplate'),

  'GET /numbers': [],
  'POST /numbers': [
    inBody('agent_id', 'agent', () => ({ json: { phone_number: '+31208888888' } })),
    inBody('transfer_trunk_id', 'trunk', () => ({ json: { phone_number: '+31208888888' } })),
  ],
  'GET /numbers/{id}': inPath('number'),
  'PATCH /numbers/{id}': [
    ...inPath('number', { json: { is_active: false } }),
    inBody('agent_id', 'agent', (own) => ({ params: [own.number] })),
    inBody('transfer_trunk_id', 'trunk', (own) => ({ params: [own.number] })),
  ],
  'DELETE /numbers/{id}': inPath('number'),

  'GET /calls': [
    inFilter('agent_id', 'agent'),
    inFilter('number_id', 'number'),
    inFilter('campaign_id', 'campaign'),
    inFilter('publishable_key_id', 'publishableKey'),
    attempt('?phone', 'callerPhone', (id) => ({ query: `phone=${encodeURIComponent(id)}` }), 200),
  ],
  'GET /calls/{id}': [...inPath('call'), ...inPath('liveCall')],
  'DELETE /calls/{id}': [...inPath('call'), ...inPath('liveCall')],
  'POST /calls/outbound': [
    inBody('agent_id', 'agent', () => ({ json: destination })),
    inBody('number_id', 'number', () => ({ json: { ...destination, agent: {} } })),
    inBody('number_id', 'number', (own) => ({ json: { ...destination, agent_id: own.agent } })),
  ],
  'POST /calls/web': [inBody('agent_id', 'agent', () => ({ json: {} }))],
  'POST /calls/{id}/control': commands.flatMap((json) => [
    ...inPath('liveCall', { json }),
    ...inPath('liveCall', { json: { ...json, command_id: 'one' } }),
  ]),
  'POST /calls/{id}/listen': [...inPath('liveCall'), ...inPath('call')],
  'POST /calls/{id}/take-over': [...inPath('liveCall'), ...inPath('call')],
  'GET /calls/{id}/events': [...inPath('liveCall'), ...inPath('call', { headers: { 'last-event-id': '1' } })],
  // The content of this stream is covered by test/cluster/events.test.ts.
  'GET /events': [],
  // Its content is covered by packages/core/test/live.
  'GET /calls/live': [],
  'GET /calls/{id}/recording': [...inPath('call'), ...inPath('call', { headers: { range: 'bytes=0-1' } })],
  'GET /calls/{id}/recording/peaks': [...inPath('call'), ...inPath('liveCall')],

  // The response describes only the key of the request.
  'GET /access': [],

  'GET /stats': [inFilter('agent_id', 'agent'), inFilter('campaign_id', 'campaign')],
  'GET /usage': [inFilter('agent_id', 'agent'), inFilter('publishable_key_id', 'publishableKey')],

  'GET /sip-trunks': [],
  'POST /sip-trunks': [],
  'GET /sip-trunks/{id}': inPath('trunk'),
  'GET /sip-trunks/health': [],
  'GET /sip-trunks/{id}/health': inPath('trunk'),
  'PATCH /sip-trunks/{id}': [
    ...inPath('trunk', { json: { name: 'Taken' } }),
    ...inPath('trunk', { json: { auth_password: 'taken' } }),
    ...inPath('trunk', { json: { auth_password: null } }),
  ],
  'DELETE /sip-trunks/{id}': inPath('trunk'),

  'GET /voices': [],
  // Sharing between organizations is covered by packages/core/test/operations/agents/voice-samples.test.ts.
  'POST /voices/sample': [],
  'GET /byok': [],
  'POST /byok': [],
  'DELETE /byok': [],
  'DELETE /byok/{provider}': [],
  'GET /byok/config': [],

  'GET /domains': [],
  'POST /domains': [],
  'DELETE /domains': [],
  'GET /domains/sync': [],
  'POST /domains/sync': [
    inBody('domain_id', 'providerDomain', () => ({})),
    inBody('resendDomainId', 'providerDomain', () => ({})),
  ],
  'POST /domains/verify': [],
  'POST /domains/refresh': [],

  'GET /analysis-templates': [],
  'POST /analysis-templates': [],
  'GET /analysis-templates/{template_id}': inPath('template'),
  'PATCH /analysis-templates/{template_id}': inPath('template', { json: { name: 'Taken' } }),
  'DELETE /analysis-templates/{template_id}': inPath('template'),

  'GET /campaigns': [],
  'POST /campaigns': [
    inBody('agent_id', 'agent', () => ({ json: campaign })),
    inBody('number_id', 'number', (own) => ({ json: { ...campaign, agent_id: own.agent } })),
  ],
  'GET /campaigns/{id}': inPath('campaign'),
  'GET /campaigns/{id}/events': inPath('campaign', { leavesStreams: true }),
  'PATCH /campaigns/{id}': [
    ...inPath('campaign', { json: { status: 'scheduled' } }),
    ...inPath('campaign', { json: { name: 'Taken' } }),
    inBody('agent_id', 'agent', (own) => ({ params: [own.campaign] })),
    inBody('number_id', 'number', (own) => ({ params: [own.campaign] })),
  ],
  'DELETE /campaigns/{id}': inPath('campaign'),

  'GET /campaigns/{id}/leads': inPath('campaign'),
  'POST /campaigns/{id}/leads': inPath('campaign', { json: { phone_number: '+31201234567' } }),
  'POST /campaigns/{id}/leads/bulk': inPath('campaign', { json: { leads: [{ phone_number: '+31201234567' }] } }),
  'POST /campaigns/{id}/leads/import': [
    ...inPath('campaign', csv),
    ...inPath('campaign', { ...csv, query: 'dry_run=true' }),
  ],
  'GET /campaigns/{id}/leads/export': inPath('campaign'),
  'DELETE /campaigns/{id}/leads/{lead_id}': [
    attempt('the campaign', 'campaign', (id, own) => ({ params: [id, own.lead] })),
    attempt('the lead', 'lead', (id, own) => ({ params: [own.campaign, id] })),
  ],

  'GET /do-not-call': [],
  'POST /do-not-call': [],
  'DELETE /do-not-call/{id}': inPath('doNotCall'),

  'GET /organizations': [],
  'GET /account': [],
  'GET /api-keys': [],
  'POST /api-keys': [],
  'DELETE /api-keys/{id}': inPath('apiKey'),

  'GET /publishable-keys': [],
  'POST /publishable-keys': [
    attempt(
      'agents',
      'agent',
      (id, own) => ({ json: { name: 'Site', origins: ['https://www.example.com'], agents: [own.agent, id] } }),
      400,
    ),
  ],
  'GET /publishable-keys/{id}': inPath('publishableKey'),
  'PATCH /publishable-keys/{id}': [
    ...inPath('publishableKey', { json: { name: 'Taken' } }),
    attempt('agents', 'agent', (id, own) => ({ params: [own.publishableKey], json: { agents: [id] } }), 400),
  ],
  'DELETE /publishable-keys/{id}': inPath('publishableKey'),

  // Only for operators: see test/api/nodes.test.ts.
  'GET /nodes': [],
  'GET /webhook-deliveries': [inFilter('agent_id', 'agent'), inFilter('call_id', 'call')],
  'POST /webhook-deliveries/{id}/redeliver': inPath('delivery'),
};
