import type { ErrorCode, KnownErrorCode } from '@va/client';
import { routes } from '@va/http';
import { expect, expectTypeOf, it } from 'vitest';
import { errorCodes } from '../../packages/http/src/openapi/error-codes.ts';
import type { Route } from '../../packages/http/src/route/route.ts';

it('the known error codes of the client include every code of the service', () => {
  const served = Object.values(routes)
    .flatMap((group) => Object.values<Route>(group))
    .flatMap((route) => [...errorCodes(route).values()].flat());
  expect([...new Set(served)].filter((code) => !(code in known))).toEqual([]);
  expectTypeOf<KnownErrorCode>().toExtend<ErrorCode>();
  expectTypeOf<string>().toExtend<ErrorCode>();
});

/** Does not compile with a missing code or an unknown one. */
const known: Readonly<Record<KnownErrorCode, true>> = {
  agent_inactive: true,
  agent_incomplete: true,
  agent_not_found: true,
  analysis_template_not_found: true,
  api_key_expired: true,
  api_key_not_found: true,
  api_key_revoked: true,
  body_too_large: true,
  byok_key_not_found: true,
  call_active: true,
  call_not_active: true,
  call_not_found: true,
  call_taken_over: true,
  campaign_invalid_transition: true,
  campaign_not_editable: true,
  campaign_not_found: true,
  concurrency_limit_exceeded: true,
  destination_not_allowed: true,
  do_not_call_not_found: true,
  domain_exists: true,
  domain_not_found: true,
  duplicate_lead: true,
  forbidden: true,
  idempotency_in_progress: true,
  idempotency_key_reused: true,
  insufficient_credits: true,
  internal_error: true,
  invalid_csv: true,
  invalid_field: true,
  invalid_json: true,
  invalid_phone_number: true,
  invalid_reference: true,
  invalid_timezone: true,
  invalid_tool_template: true,
  lead_in_progress: true,
  lead_not_found: true,
  method_not_allowed: true,
  minutes_used_up: true,
  missing_field: true,
  no_outbound_number: true,
  no_trunk: true,
  not_supported_in_realtime: true,
  no_webhook_url: true,
  number_in_use: true,
  number_not_allowed: true,
  organization_not_found: true,
  phone_number_exists: true,
  phone_number_not_found: true,
  provider_error: true,
  provider_timeout: true,
  publishable_key_not_found: true,
  range_not_satisfiable: true,
  rate_limit_exceeded: true,
  recording_not_found: true,
  recording_not_readable: true,
  route_not_found: true,
  sip_trunk_not_found: true,
  too_many_api_keys: true,
  too_many_ringing_calls: true,
  too_many_streams: true,
  too_many_tools: true,
  tool_exists: true,
  tool_needs_call: true,
  tool_not_found: true,
  tool_template_not_found: true,
  too_many_variables: true,
  transfer_in_progress: true,
  unauthorized: true,
  unavailable: true,
  unknown_field: true,
  unsupported_media_type: true,
  webhook_delivery_not_found: true,
};
