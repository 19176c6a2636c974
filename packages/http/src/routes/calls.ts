import { callDirections, callSchema, endReasons, paginationSchema } from '@va/core';
import { z } from 'zod';
import { serveRecording } from '../engine/recording.ts';
import { component } from './components.ts';
import { defineRawRoute, defineRoute } from './define-route.ts';
import { pageQuery } from './shared-schemas.ts';

const call = component('Call', callSchema);

const instant = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).optional();

const callQuery = pageQuery(
  { defaultLimit: 100, maxLimit: 1_000 },
  {
    status: z.string().optional().describe('One status, or several with commas between them.'),
    start_date: instant.describe('A date-time with a zone, or a day in UTC; on `created_at`.'),
    end_date: instant.describe('Not included; a day is, whole.'),
    agent_id: z.uuid().optional(),
    number_id: z.uuid().optional(),
    campaign_id: z.uuid().optional(),
    direction: z.enum(callDirections).optional(),
    phone: z.string().optional().describe("Either party's number."),
    end_reason: z.enum(endReasons).optional(),
  },
);

export const calls = {
  list: defineRoute({
    method: 'GET',
    path: '/calls',
    scope: 'calls:read',
    summary: 'List calls',
    description: 'Newest first.',
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
  recording: defineRawRoute({
    method: 'GET',
    path: '/calls/:id/recording',
    scope: 'calls:read',
    summary: 'Get the recording of a call',
    description: 'Stereo: the caller on the left, the agent on the right.',
    content: [
      { status: 200, description: 'The recording.', mediaType: 'audio/wav' },
      { status: 206, description: 'The range of it that was asked for.', mediaType: 'audio/wav' },
    ],
    errors: { 404: ['call_not_found', 'recording_not_found'], 416: ['range_not_satisfiable'] },
    run: async ({ operations, orgId, params, request }) =>
      serveRecording(await operations.calls.recording(orgId, params.id), request),
  }),
};
