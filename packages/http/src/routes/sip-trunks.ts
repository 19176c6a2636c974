import { createTrunkSchema, sipTrunkSchema, trunkHealthSchema, updateTrunkSchema } from '@va/core';
import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';
import { deleted, deletedSchema, wholeListQuery } from '../route/shared-schemas.ts';

const trunk = component('SipTrunk', sipTrunkSchema);
const health = component('TrunkHealth', trunkHealthSchema);

export const trunks = {
  list: defineRoute({
    method: 'GET',
    path: '/sip-trunks',
    scope: 'trunks:read',
    summary: 'List trunks',
    query: wholeListQuery,
    result: z.array(trunk),
    wrap: 'trunks',
    run: ({ operations, orgId, query }) => operations.trunks.list(orgId, query),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/sip-trunks',
    scope: 'trunks:write',
    summary: 'Create a trunk',
    description:
      'A trunk of the type `sip`, or of a carrier, whose calls use its API and media streams. The password and ' +
      'the `credentials` of a carrier are stored in the vault and never returned.',
    body: component('NewSipTrunk', createTrunkSchema),
    result: trunk,
    wrap: 'trunk',
    errors: { 503: ['unavailable'] },
    run: ({ operations, orgId, body }) => operations.trunks.create(orgId, body),
  }),
  get: defineRoute({
    method: 'GET',
    path: '/sip-trunks/:id',
    scope: 'trunks:read',
    summary: 'Get a trunk',
    result: trunk,
    wrap: 'trunk',
    errors: { 404: ['sip_trunk_not_found'] },
    run: ({ operations, orgId, params }) => operations.trunks.get(orgId, params.id),
  }),
  healthOfAll: defineRoute({
    method: 'GET',
    path: '/sip-trunks/health',
    scope: 'trunks:read',
    summary: 'Get the health of all trunks',
    description: 'In the order of `GET /sip-trunks`.',
    result: z.array(health),
    wrap: 'trunks',
    run: ({ operations, orgId }) => operations.trunks.healthOfAll(orgId),
  }),
  health: defineRoute({
    method: 'GET',
    path: '/sip-trunks/:id/health',
    scope: 'trunks:read',
    summary: 'Get the health of a trunk',
    description:
      'The addresses of a SIP trunk are checked by OPTIONS, from the first call that is placed over it until an hour ' +
      'after the last. The health of a carrier’s trunk is the time of its last webhook. Values of other nodes are up ' +
      'to 15 s old.',
    result: health,
    wrap: 'health',
    errors: { 404: ['sip_trunk_not_found'] },
    run: ({ operations, orgId, params }) => operations.trunks.health(orgId, params.id),
  }),
  update: defineRoute({
    method: 'PATCH',
    path: '/sip-trunks/:id',
    scope: 'trunks:write',
    summary: 'Update a trunk',
    description:
      'Changes only the given keys, those of the trunk’s type; a null `auth_password` deletes the password from the ' +
      'vault. `account` and `credentials` of a carrier are replaced whole.',
    body: component('SipTrunkChanges', updateTrunkSchema),
    result: trunk,
    wrap: 'trunk',
    errors: { 404: ['sip_trunk_not_found'], 503: ['unavailable'] },
    run: ({ operations, orgId, params, body }) => operations.trunks.update(orgId, params.id, body),
  }),
  delete: defineRoute({
    method: 'DELETE',
    path: '/sip-trunks/:id',
    scope: 'trunks:write',
    summary: 'Delete a trunk',
    description: 'Numbers that transfer through the trunk get `transfer_trunk_id` null.',
    result: deletedSchema,
    errors: { 404: ['sip_trunk_not_found'] },
    run: ({ operations, orgId, params }) => operations.trunks.delete(orgId, params.id).then(deleted),
  }),
};
