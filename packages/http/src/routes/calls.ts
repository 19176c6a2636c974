import {
  type CallEvent,
  callDirections,
  callEventMessageSchema,
  callSchema,
  controlAnswerSchema,
  controlCommandSchema,
  endReasons,
  liveEventSchema,
  maxPeakPoints,
  minPeakPoints,
  outboundAnswerSchema,
  outboundCallSchema,
  paginationSchema,
  recordingPeaksSchema,
  supervisionAnswerSchema,
  webCallAnswerSchema,
  webCallSchema,
} from '@va/core';
import { toCallEventMessage } from '@va/core/adapter';
import { z } from 'zod';
import type { ServerSentEvent } from '../engine/response/event-stream.ts';
import { serveRecording } from '../engine/response/recording.ts';
import { streamOf } from '../engine/response/stream-of.ts';
import { component } from '../route/components.ts';
import { defineRawRoute, defineRoute } from '../route/define-route.ts';
import { dateRange, deleted, deletedSchema, pageQuery } from '../route/shared-schemas.ts';

const call = component('Call', callSchema);

const callEvent = component('CallEvent', callEventMessageSchema);

const supervision = component('Supervision', supervisionAnswerSchema);
const supervisionErrors = {
  404: ['call_not_found'],
  409: ['call_not_active'],
  429: ['concurrency_limit_exceeded'],
  503: ['unavailable'],
} as const;

const eventStreamText = 'Server-sent events; the `data` of each is JSON of this schema.';

const callQuery = pageQuery(
  { defaultLimit: 100, maxLimit: 1_000 },
  {
    status: z.string().optional().describe('One status, or several separated by commas.'),
    ...dateRange,
    agent_id: z.uuid().optional(),
    number_id: z.uuid().optional(),
    campaign_id: z.uuid().optional(),
    publishable_key_id: z.uuid().optional(),
    direction: z.enum(callDirections).optional(),
    phone: z.string().optional().describe('Number of either party.'),
    end_reason: z.enum(endReasons).optional(),
    q: z
      .string()
      .max(1_000)
      .optional()
      .describe('Words of the transcript, at most 8: all of them occur, the last one as the beginning of a word.'),
  },
);

export const calls = {
  list: defineRoute({
    method: 'GET',
    path: '/calls',
    scope: 'calls:read',
    summary: 'List calls',
    description: 'Newest first. With `q`, `pagination.total` counts 1,000 calls at most.',
    query: callQuery,
    result: z.object({ calls: z.array(call), pagination: paginationSchema }),
    run: ({ operations, orgId, query }) => operations.calls.list(orgId, query),
  }),
  get: defineRoute({
    method: 'GET',
    path: '/calls/:id',
    scope: 'calls:read',
    summary: 'Get a call',
    result: call,
    errors: { 404: ['call_not_found'] },
    run: ({ operations, orgId, params }) => operations.calls.get(orgId, params.id),
  }),
  delete: defineRoute({
    method: 'DELETE',
    path: '/calls/:id',
    scope: 'calls:write',
    summary: 'Erase a call',
    description:
      'Deletes the transcript, recording, events and webhook deliveries of the call. Its usage record stays.',
    result: deletedSchema,
    errors: { 404: ['call_not_found'], 409: ['call_active'] },
    run: ({ operations, orgId, params }) => operations.calls.delete(orgId, params.id).then(deleted),
  }),
  place: defineRoute({
    method: 'POST',
    path: '/calls/outbound',
    scope: 'calls:write',
    summary: 'Place an outbound call',
    description:
      'Uses a saved agent, a saved agent with some blocks overridden, or an inline agent. Without `number_id` ' +
      'the call goes out from a number of the agent, or else from any active number with a trunk.',
    body: component('NewOutboundCall', outboundCallSchema),
    status: 201,
    result: component('OutboundCall', outboundAnswerSchema),
    location: ({ call_id }) => `/calls/${call_id}`,
    errors: {
      400: ['invalid_phone_number', 'invalid_reference'],
      402: ['insufficient_credits'],
      403: ['destination_not_allowed'],
      409: ['agent_inactive'],
      422: ['agent_incomplete', 'no_outbound_number', 'no_trunk', 'not_supported_in_realtime'],
      429: ['concurrency_limit_exceeded', 'too_many_ringing_calls'],
      503: ['unavailable'],
    },
    run: ({ operations, orgId, body }) => operations.calls.place(orgId, body),
  }),
  createWebCall: defineRoute({
    method: 'POST',
    path: '/calls/web',
    scope: 'calls:write',
    summary: 'Allow a call from a browser',
    description:
      'Returns a token with which one browser can call the agent once, within 60 s. Pass `url` and `token` to ' +
      'the page, and keep the API key on your server. The call exists under `call_id` once the browser has ' +
      'connected. A page can also send this request itself, with a publishable key: its `Origin` must then be ' +
      'one of the key’s, `metadata` is refused, and so are `variables` that the key does not list.',
    body: component('NewWebCall', webCallSchema),
    status: 201,
    result: component('WebCall', webCallAnswerSchema),
    secret: true,
    admitsPages: true,
    errors: {
      400: ['invalid_reference'],
      402: ['insufficient_credits'],
      409: ['agent_inactive'],
      422: ['agent_incomplete'],
      429: ['concurrency_limit_exceeded', 'minutes_used_up'],
      503: ['unavailable'],
    },
    run: ({ operations, orgId, body, principal: { publishableKey }, request }) => {
      const page = publishableKey === undefined ? null : { publishableKey, origin: request.header('origin') };
      return operations.calls.createWebCall(orgId, body, page);
    },
  }),
  control: defineRoute({
    method: 'POST',
    path: '/calls/:id/control',
    scope: 'calls:write',
    summary: 'Control a call in progress',
    description: 'A repeated `command_id` returns the first response. `end-call` also cancels a ringing call.',
    body: component('ControlCommand', controlCommandSchema),
    result: component('ControlAnswer', controlAnswerSchema),
    errors: {
      400: ['invalid_phone_number'],
      404: ['call_not_found'],
      409: ['call_not_active', 'call_taken_over', 'transfer_in_progress'],
      503: ['unavailable'],
    },
    limit: ({ params }) => ({ name: 'control', key: params.id }),
    run: ({ operations, orgId, params, body }) => operations.calls.control(orgId, params.id, body),
  }),
  listen: defineRoute({
    method: 'POST',
    path: '/calls/:id/listen',
    scope: 'calls:read',
    summary: 'Listen in to a call',
    description:
      'Returns a token with which one browser can hear both sides of the call, within 60 s: with `WebCall` of ' +
      '`@va/web` and `microphone: false`. Neither the caller nor the agent notices. At most 5 people can be in a call.',
    status: 201,
    result: supervision,
    secret: true,
    errors: supervisionErrors,
    run: ({ operations, orgId, params }) => operations.calls.supervise(orgId, params.id, 'listen'),
  }),
  takeOver: defineRoute({
    method: 'POST',
    path: '/calls/:id/take-over',
    scope: 'calls:write',
    summary: 'Take over a call',
    description:
      'Returns a token with which one browser can speak with the caller in place of the agent, within 60 s: ' +
      'with `WebCall` of `@va/web`. The agent stops speaking when the browser connects, and continues when it ' +
      'hangs up or has been disconnected for 3 s. Until then `say` and `transfer` return 409 `call_taken_over`. ' +
      'The browser is disconnected at once if the call is being transferred or another person has taken it ' +
      'over.',
    status: 201,
    result: supervision,
    secret: true,
    errors: supervisionErrors,
    run: ({ operations, orgId, params }) => operations.calls.supervise(orgId, params.id, 'talk'),
  }),
  events: defineRawRoute({
    method: 'GET',
    path: '/calls/:id/events',
    scope: 'calls:read',
    summary: 'Stream the events of a call',
    description:
      'Server-sent events from the start of the call to its end, during the call or afterwards: `status`, ' +
      '`answered-by`, `transcript`, `tool-call`, `tool-result`, `language`, `transfer`, `take-over`, `latency`, ' +
      '`budget`, `dtmf`. ' +
      '`Last-Event-ID` resumes after that event.',
    content: [
      { status: 200, description: eventStreamText, mediaType: 'text/event-stream', schema: callEvent },
      { status: 204, description: 'The call has ended and `Last-Event-ID` is its last event.', mediaType: null },
    ],
    errors: { 404: ['call_not_found'], 429: ['too_many_streams'] },
    async run({ host, operations, orgId, params, request }) {
      const lastEventId = request.header('last-event-id');
      const open = (signal: AbortSignal) => operations.calls.events(orgId, params.id, { lastEventId, signal });
      return await streamOf(
        host.clock,
        request,
        open,
        toServerSent(({ seq }) => String(seq)),
      );
    },
  }),
  watch: defineRawRoute({
    method: 'GET',
    path: '/events',
    scope: 'calls:read',
    summary: 'Stream the events of all calls',
    description:
      'Server-sent events of every call of the organization, whichever node runs it. `Last-Event-ID` resumes: ' +
      'each event is delivered at least once, and a repeated one has the same id.',
    content: [
      {
        status: 200,
        description: `${eventStreamText} The stream does not end.`,
        mediaType: 'text/event-stream',
        schema: callEvent,
      },
    ],
    errors: { 429: ['too_many_streams'] },
    async run({ host, operations, orgId, request }) {
      const lastEventId = request.header('last-event-id');
      const open = (signal: AbortSignal) => operations.calls.watch(orgId, { lastEventId, signal });
      return await streamOf(
        host.clock,
        request,
        open,
        toServerSent(({ id }) => id),
      );
    },
  }),
  live: defineRawRoute({
    method: 'GET',
    path: '/calls/live',
    scope: 'calls:read',
    summary: 'Stream the moments of live calls',
    description:
      'Server-sent events of the calls in progress on all nodes, beginning with their present state: `state` ' +
      '(who has the floor, what the agent waits for, and for how long), `partial-transcript` (words of the ' +
      'caller so far), `agent-speech` (what the agent begins to say), `levels` (levels of both sides). They are ' +
      'not stored: a client that is slow or reconnects receives the latest of each call and type.',
    query: z.strictObject({ call_id: z.uuid().optional().describe('Only this call.') }),
    content: [
      {
        status: 200,
        description: 'Events without an id. The stream does not end.',
        mediaType: 'text/event-stream',
        schema: component('LiveEvent', liveEventSchema),
      },
    ],
    errors: { 429: ['too_many_streams'], 503: ['unavailable'] },
    async run({ host, operations, orgId, query, request }) {
      const open = (signal: AbortSignal) => operations.calls.live(orgId, query, { signal });
      return await streamOf(host.clock, request, open, (event) => ({ event: event.type, data: JSON.stringify(event) }));
    },
  }),
  recording: defineRawRoute({
    method: 'GET',
    path: '/calls/:id/recording',
    scope: 'calls:read',
    summary: 'Get the recording of a call',
    description: 'Stereo: the caller on the left, the agent on the right.',
    query: z.strictObject({
      redirect: z
        .enum(['true', 'false'])
        .optional()
        .describe(
          '`false` has the service send the bytes where it would redirect, as for a page that allows no other origin.',
        ),
    }),
    content: [
      { status: 200, description: 'The recording.', mediaType: 'audio/wav' },
      { status: 302, description: 'The recording is at `Location` for a few minutes.', mediaType: 'audio/wav' },
      { status: 206, description: 'The requested range of the recording.', mediaType: 'audio/wav' },
    ],
    errors: { 404: ['call_not_found', 'recording_not_found'], 416: ['range_not_satisfiable'] },
    run: async ({ operations, orgId, params, query, request }) =>
      serveRecording(await operations.calls.recording(orgId, params.id), request, query.redirect !== 'false'),
  }),
  peaks: defineRoute({
    method: 'GET',
    path: '/calls/:id/recording/peaks',
    scope: 'calls:read',
    summary: 'Get the waveform of a recording',
    description:
      'Of a call in progress, the waveform so far. The recording must be a WAV file with 16-bit PCM: other ' +
      'recordings, and those of a store that only redirects, return 501.',
    query: z.strictObject({
      points: z.int().min(minPeakPoints).max(maxPeakPoints).optional().describe('800 by default.'),
    }),
    result: component('RecordingPeaks', recordingPeaksSchema),
    errors: { 404: ['call_not_found', 'recording_not_found'], 501: ['recording_not_readable'] },
    run: ({ operations, orgId, params, query }) => operations.calls.peaks(orgId, params.id, query),
  }),
};

function toServerSent(idOf: (event: CallEvent) => string): (event: CallEvent) => ServerSentEvent {
  return (event) => ({ id: idOf(event), event: event.type, data: JSON.stringify(toCallEventMessage(event)) });
}
