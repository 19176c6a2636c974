import { campaignProgressSchema, campaignSchema, createCampaignSchema, updateCampaignSchema } from '@va/core';
import { z } from 'zod';
import { streamOf } from '../engine/response/stream-of.ts';
import { component } from '../route/components.ts';
import { defineRawRoute, defineRoute } from '../route/define-route.ts';
import { deleted, deletedSchema, wholeListQuery } from '../route/shared-schemas.ts';

const campaign = component('Campaign', campaignSchema);

export const campaigns = {
  list: defineRoute({
    method: 'GET',
    path: '/campaigns',
    scope: 'campaigns:read',
    summary: 'List campaigns',
    query: wholeListQuery,
    result: z.array(campaign),
    wrap: 'campaigns',
    run: ({ operations, orgId, query }) => operations.campaigns.list(orgId, query),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/campaigns',
    scope: 'campaigns:write',
    summary: 'Create a campaign',
    description: 'The campaign starts as a draft.',
    body: component('NewCampaign', createCampaignSchema),
    status: 201,
    result: campaign,
    wrap: 'campaign',
    location: ({ id }) => `/campaigns/${id}`,
    errors: { 400: ['invalid_timezone', 'invalid_reference'] },
    run: ({ operations, orgId, body }) => operations.campaigns.create(orgId, body),
  }),
  get: defineRoute({
    method: 'GET',
    path: '/campaigns/:id',
    scope: 'campaigns:read',
    summary: 'Get a campaign',
    result: campaign,
    wrap: 'campaign',
    errors: { 404: ['campaign_not_found'] },
    run: ({ operations, orgId, params }) => operations.campaigns.get(orgId, params.id),
  }),
  events: defineRawRoute({
    method: 'GET',
    path: '/campaigns/:id/events',
    scope: 'campaigns:read',
    summary: 'Stream the progress of a campaign',
    description:
      'Server-sent events `progress`: the progress fields of `GET /campaigns/{id}` with `id`, `status` and ' +
      '`status_reason`. One event is sent at once, then one per change, at most once a second. The stream ends ' +
      'when the campaign is completed, or when it is cancelled and its last call has ended.',
    content: [
      {
        status: 200,
        description: 'Server-sent events; the `data` of each is JSON of this schema.',
        mediaType: 'text/event-stream',
        schema: component('CampaignProgress', campaignProgressSchema),
      },
    ],
    errors: { 404: ['campaign_not_found'], 429: ['too_many_streams'] },
    run: ({ host, operations, orgId, params, request }) =>
      streamOf(
        host.clock,
        request,
        (signal) => operations.campaigns.events(orgId, params.id, { signal }),
        (progress) => ({ event: 'progress', data: JSON.stringify(progress) }),
      ),
  }),
  update: defineRoute({
    method: 'PATCH',
    path: '/campaigns/:id',
    scope: 'campaigns:write',
    summary: 'Update, start, pause or cancel a campaign',
    description:
      'Changes only the given keys. `status: "scheduled"` starts the campaign; pausing and cancelling do not end ' +
      'calls in progress. The other fields can be changed while the campaign is not running.',
    body: component('CampaignChanges', updateCampaignSchema),
    result: campaign,
    wrap: 'campaign',
    errors: {
      400: ['invalid_timezone', 'invalid_reference'],
      404: ['campaign_not_found'],
      409: ['campaign_invalid_transition', 'campaign_not_editable', 'agent_inactive'],
      422: ['agent_incomplete'],
    },
    run: ({ operations, orgId, params, body }) => operations.campaigns.update(orgId, params.id, body),
  }),
  delete: defineRoute({
    method: 'DELETE',
    path: '/campaigns/:id',
    scope: 'campaigns:write',
    summary: 'Delete a campaign and its leads',
    result: deletedSchema,
    errors: { 404: ['campaign_not_found'], 409: ['campaign_not_editable'] },
    run: ({ operations, orgId, params }) => operations.campaigns.delete(orgId, params.id).then(deleted),
  }),
};
