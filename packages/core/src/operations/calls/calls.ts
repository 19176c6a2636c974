import { z } from 'zod';
import type { CallControl } from '../../calls/call-control.ts';
import { messagesOfEvents } from '../../calls/record/event-messages.ts';
import { type Call, type CallRecord, shownCall } from '../../domain/calls/call.ts';
import type { ControlAnswer, NewControlCommand } from '../../domain/calls/call-control.ts';
import type { CallEvent } from '../../domain/calls/call-event.ts';
import type { LiveEvent } from '../../domain/calls/live-event.ts';
import type { NewOutboundCall, OutboundAnswer } from '../../domain/calls/outbound-call.ts';
import type { RecordingPeaks } from '../../domain/calls/recording-peaks.ts';
import type { SupervisionAnswer, SupervisionMode } from '../../domain/calls/supervision.ts';
import type { NewWebCall, WebCallAnswer } from '../../domain/calls/web-call.ts';
import type { Pagination } from '../../domain/records/pagination.ts';
import { recordIdSchema } from '../../domain/records/record-id.ts';
import { RequestError } from '../../errors.ts';
import { parseInput } from '../../input/parse-input.ts';
import { checkId, notFound, requireFound } from '../../input/require-found.ts';
import { InProcessJobs } from '../../jobs/in-process-jobs.ts';
import type { StoredRecording } from '../../ports/recordings.ts';
import { PeaksCache } from '../../recordings/peaks-cache.ts';
import { eraseCall } from '../../retention/erase-call.ts';
import { EventStreams } from '../event-streams/event-streams.ts';
import { commandCall } from './call-commands.ts';
import { isTold, parseLastEventId, watchCall } from './call-events.ts';
import type { CallOperationsDependencies } from './call-operations-dependencies.ts';
import { type CallQuery, parseCallQuery } from './call-query.ts';
import { watchLive } from './live-events.ts';
import { parseLastEventUuid, watchOrganization } from './organization-events.ts';
import { placeCall } from './outbound-calls.ts';
import type { CallingPage } from './page-web-calls.ts';
import { type PeaksQuery, parsePeaksQuery } from './peaks-query.ts';
import { superviseCall } from './supervision.ts';
import { createWebCall } from './web-calls.ts';

/** Every method throws a `RequestError` for invalid requests: 400 for the query, 404 `call_not_found`. */
export interface CallOperations {
  /**
   * Newest first. Query: `limit` (1–1000, default 100), `offset`, `status` (a comma list), `start_date`, `end_date` (on
   * `created_at`, half-open; an end that is a day includes it), `agent_id`, `number_id`, `campaign_id`,
   * `publishable_key_id`, `direction`, `phone` (either party's), `end_reason`, `q` (words of the transcript, with which
   * the total is counted up to 1,000 only).
   */
  list(orgId: string, query?: CallQuery): Promise<{ calls: Call[]; pagination: Pagination }>;
  /** Returns a call. `messages` of a live call are those so far. */
  get(orgId: string, id: string): Promise<Call>;
  /** Opens the recording of a call. 404 `recording_not_found` if it has none. */
  recording(orgId: string, id: string): Promise<StoredRecording>;
  /**
   * Returns the waveform of the recording, which may be in progress. Query: `points` (10–4,000, default 800). 404
   * `recording_not_found`, 501 `recording_not_readable` if its store does not give the bytes of a 16-bit PCM WAV file.
   */
  peaks(orgId: string, id: string, query?: PeaksQuery): Promise<RecordingPeaks>;
  /**
   * Input: `outboundCallSchema`. 402 `insufficient_credits`, 403 `destination_not_allowed`, 409 `agent_inactive`, 422
   * `agent_incomplete`, `no_outbound_number` or `no_trunk`, 429 `concurrency_limit_exceeded` or
   * `too_many_ringing_calls`, 503 `unavailable` without capacity.
   */
  place(orgId: string, input: NewOutboundCall): Promise<OutboundAnswer>;
  /**
   * Allows one call from a browser within 60 s. Input: `webCallSchema`. 402 `insufficient_credits`, 409
   * `agent_inactive`, 422 `agent_incomplete`, 429 `concurrency_limit_exceeded`, 503 `unavailable`.
   *
   * @param page the page that asks with a publishable key, whose limits apply: 401 `api_key_revoked`, 403 `forbidden`,
   *   429 `rate_limit_exceeded`, `minutes_used_up`. Null or absent for a request without a publishable key.
   */
  createWebCall(orgId: string, input: NewWebCall, page?: CallingPage | null): Promise<WebCallAnswer>;
  /**
   * Erases an ended call: the record, transcript, recording, events, and webhooks with their bodies. Its usage stays.
   * 409 `call_active` for a live call.
   */
  delete(orgId: string, id: string): Promise<void>;
  /**
   * Executes a command on a live call. Input: `controlCommandSchema`. A repeated `command_id` gets the first response.
   * 409 `call_not_active`, or `idempotency_in_progress` while the first request is executed, 503 `unavailable` if the
   * call does not support the command.
   */
  control(orgId: string, id: string, input: NewControlCommand): Promise<ControlAnswer>;
  /**
   * Allows one browser within 60 s to join a live call: to hear both sides (`listen`), or to speak with the caller in
   * the agent's place (`talk`). 409 `call_not_active`, 429 `concurrency_limit_exceeded`, 503 `unavailable`.
   */
  supervise(orgId: string, id: string, mode: SupervisionMode): Promise<SupervisionAnswer>;
  /**
   * Resolves to the call's events, from the first or from the one after `lastEventId`, up to the call's end; to null if
   * the call has ended and no event follows `lastEventId`. Rejects if the call does not exist.
   */
  events(
    orgId: string,
    id: string,
    options: { readonly lastEventId: string | null; readonly signal: AbortSignal },
  ): Promise<AsyncIterable<CallEvent> | null>;
  /**
   * Resolves to the events of all calls from now on, or from the event with the id `lastEventId`; some events before
   * that one may be repeated. 400 for an invalid id.
   */
  watch(
    orgId: string,
    options: { readonly lastEventId: string | null; readonly signal: AbortSignal },
  ): Promise<AsyncIterable<CallEvent>>;
  /**
   * Resolves to the live events of calls on any node, beginning with the current state of each: who has the floor, what
   * the agent waits for, the caller's words so far. Live events are not stored. Query: `call_id` for one call. 503
   * `unavailable` in a process that runs no calls.
   */
  live(
    orgId: string,
    query: LiveQuery | undefined,
    options: { readonly signal: AbortSignal },
  ): Promise<AsyncIterable<LiveEvent>>;
}

const liveQuerySchema = z.strictObject({ call_id: recordIdSchema.optional() });
/** Query of `GET /calls/live`. */
export type LiveQuery = z.input<typeof liveQuerySchema>;

/** Maximum total of a search. A word may be in every call, and counting them all would take too long. */
const maxCounted = 1_000;

/** Creates the operations on calls; `createOperations` creates all groups. */
export function createCallOperations(deps: CallOperationsDependencies): CallOperations {
  const { storage, recordings } = deps;
  const streams = new EventStreams(deps);
  const waveforms = new PeaksCache(deps.clock);

  function withControl(): CallOperationsDependencies & { control: CallControl } {
    const { control } = deps;
    if (control !== undefined) return { ...deps, control };
    throw new RequestError(503, 'unavailable', 'This process runs no calls.');
  }

  async function record(orgId: string, id: string): Promise<CallRecord> {
    checkId('call', id);
    return requireFound(await storage.calls.get(orgId, id), 'call', id);
  }

  async function openRecording(orgId: string, id: string): Promise<StoredRecording> {
    const call = await record(orgId, id);
    return requireFound(await recordings.open(orgId, call.id), 'recording', id);
  }

  return {
    async get(orgId, id) {
      const call = shownCall(await record(orgId, id));
      if (call.status !== 'in-progress') return call;
      return { ...call, messages: await messagesOfEvents(storage, orgId, id) };
    },

    async list(orgId, query = {}) {
      const { filter, page, isSearch } = parseCallQuery(query);
      const [total, calls] = await Promise.all([
        storage.calls.count(orgId, filter, isSearch ? maxCounted : undefined),
        storage.calls.list(orgId, { ...filter, ...page }),
      ]);
      return { calls: calls.map(shownCall), pagination: { total, ...page } };
    },

    recording: openRecording,

    async peaks(orgId, id, query = {}) {
      const points = parsePeaksQuery(query);
      return await waveforms.get(id, await openRecording(orgId, id), points);
    },

    async delete(orgId, id) {
      const call = await record(orgId, id);
      if (call.status !== 'ended' && call.status !== 'failed') {
        throw new RequestError(409, 'call_active', `The call ${id} is in progress. End it first.`);
      }
      const jobs = deps.jobs ?? storage.jobs ?? new InProcessJobs(deps.clock);
      const deleted = await eraseCall({ ...deps, jobs }, orgId, id);
      if (!deleted) throw notFound('call', id);
    },

    place: (orgId, input) => placeCall(withControl(), orgId, input),

    createWebCall: (orgId, input, page) => createWebCall(deps, orgId, input, page),

    async control(orgId, id, input) {
      return await commandCall(withControl(), orgId, await record(orgId, id), input);
    },

    async supervise(orgId, id, mode) {
      return await superviseCall(withControl(), orgId, await record(orgId, id), mode);
    },

    async events(orgId, id, { lastEventId, signal }) {
      const call = await record(orgId, id);
      const after = parseLastEventId(lastEventId);
      if (after > 0 && (await isTold(deps, orgId, call, after))) return null;
      return watchCall({ ...deps, streams }, orgId, call.id, { after, signal });
    },

    async watch(orgId, { lastEventId, signal }) {
      return watchOrganization({ ...deps, streams }, orgId, { lastEventId: parseLastEventUuid(lastEventId), signal });
    },

    async live(orgId, query = {}, { signal }) {
      const { call_id: callId = null } = parseInput(liveQuerySchema, query);
      const { live, clock } = deps;
      if (live === undefined) throw new RequestError(503, 'unavailable', 'This process runs no calls.');
      return watchLive({ live, clock }, orgId, { callId, signal });
    },
  };
}
