import type { CallStatus, LiveEvent, LiveQuery } from '@va/core';
import type { BodyOf, PathOf, QueryOf, ResultOf, RouteTable } from '@va/http/types';
import type { CallEvent } from './call-events.ts';
import type { CampaignWatchOptions } from './campaign-progress.ts';
import type { Csv } from './csv.ts';
import type { LiveOptions } from './live-events.ts';
import type { IsEmpty, IsPaged, RecordOf } from './operation-table.ts';
import type { PagingOptions } from './pages.ts';
import type { Recording, RecordingOptions } from './recording.ts';
import type { BulkResult, CampaignProgress, Named } from './records.ts';
import type { WatchOptions } from './request/event-source.ts';
import type { RequestOptions } from './request/request-options.ts';

/**
 * The operations of the REST API by group and name. Arguments are the ids of the path, then the body or query, then
 * options. Methods resolve to the unwrapped result.
 *
 * Methods throw `ApiError` if the service refuses the request, `ConnectionError` for a network failure, timeout or
 * unusable response, the reason of the signal if it aborts, and `TypeError` for an empty or dots-only id.
 * @example
 * const agent = await client.agents.create({ name: 'Reception' });
 * for await (const call of client.calls.all({ agent_id: agent.id })) console.log(call.status);
 */
export interface Client extends Groups {}

type Groups = { readonly [Group in keyof RouteTable]: Flat<Methods<RouteTable[Group]> & Own<Group>> };
type Flat<T> = { readonly [Key in keyof T]: T[Key] };

type Methods<Routes> = {
  [Name in keyof Routes as Name extends 'events' | 'watch' | 'live' | 'recording' | 'sample' | 'import' | 'export'
    ? never
    : Name]: (
    ...args: [...Ids<PathOf<Routes[Name]>>, ...OperationInput<Routes[Name]>, options?: RequestOptions]
  ) => Promise<IsEmpty<Routes[Name]> extends true ? void : Named<ResultOf<Routes[Name]>>>;
} & (Routes extends { list: infer List } ? All<List> : unknown);

type OperationInput<R> = [BodyOf<R>] extends [undefined]
  ? [QueryOf<R>] extends [undefined]
    ? []
    : [query?: QueryIn<R>]
  : [body: BodyOf<R>];

type All<R> =
  IsPaged<R> extends true
    ? {
        /**
         * Yields all records of the list, requested page by page.
         * @example for await (const { id } of client.calls.all({ status: 'failed' })) console.log(id);
         */
        all: (
          ...args: [...Ids<PathOf<R>>, filter?: Omit<QueryIn<R>, 'limit' | 'offset'>, options?: PagingOptions]
        ) => AsyncGenerator<Named<RecordOf<R>>, void, void>;
      }
    : unknown;

/** The parameters of a path, with readable names. */
type Ids<Path> = Path extends '/campaigns/:id/leads/:lead_id'
  ? [campaignId: string, leadId: string]
  : Path extends `/campaigns/:id/${string}`
    ? [campaignId: string]
    : Path extends `/agents/:id/${string}`
      ? [agentId: string]
      : Path extends `${string}:provider`
        ? [provider: string]
        : Path extends `${string}:${string}`
          ? [id: string]
          : [];

type QueryIn<R> = PathOf<R> extends '/calls' ? CallQuery : QueryOf<R>;

/**
 * Filters of calls. Dates are UTC days or ISO 8601 date-times with a time zone; an end day is inclusive.
 * @example { status: ['ended', 'failed'], start_date: '2026-03-01', end_date: '2026-03-31' }
 */
export interface CallQuery extends Omit<QueryOf<RouteTable['calls']['list']>, 'status'> {
  readonly status?: CallStatus | readonly CallStatus[] | undefined;
}

/** Options of a lead import. */
export interface LeadImportQuery extends Omit<QueryOf<RouteTable['leads']['import']>, 'dry_run'> {
  /** True to validate and count the rows without storing them. */
  readonly dry_run?: boolean | undefined;
}

/** Methods that are not one JSON request and response. */
type Own<Group> = Group extends keyof OwnMethods ? OwnMethods[Group] : unknown;

interface OwnMethods {
  readonly calls: CallMethods;
  readonly campaigns: CampaignMethods;
  readonly leads: LeadMethods;
  readonly voices: VoiceMethods;
}

interface CallMethods {
  /**
   * Yields the events of a call from its start to its end, during the call or afterwards. Reconnects after a broken
   * connection and resumes after the last event.
   * @example for await (const event of client.calls.events(call.call_id)) console.log(event.type, event);
   */
  readonly events: (id: string, options?: WatchOptions) => AsyncGenerator<CallEvent, void, void>;
  /**
   * Yields the events of all calls of the organization, from now on or after `lastEventId`, until the signal aborts.
   * Reconnects after a broken connection, and yields each event once.
   * @example for await (const event of client.calls.watch({ signal })) console.log(event.call_id, event.type);
   */
  readonly watch: (options?: WatchOptions) => AsyncGenerator<CallEvent, void, void>;
  /**
   * Yields live events of all live calls, or of one: the floor, the reason of a wait, interim transcripts and audio
   * levels. Starts with the present state and then yields changes until the signal aborts.
   * @example for await (const event of client.calls.live()) if (event.type === 'state') console.log(event.state);
   */
  readonly live: (query?: LiveQuery, options?: LiveOptions) => AsyncGenerator<LiveEvent, void, void>;
  /**
   * Streams the recording: a stereo WAV with the caller on the left and the agent on the right channel.
   * @throws ApiError `recording_not_found` if the call has none
   * @example
   * const { body } = await client.calls.recording(id);
   * await pipeline(body, createWriteStream('call.wav'));
   */
  readonly recording: (id: string, options?: RecordingOptions) => Promise<Recording>;
}

interface CampaignMethods {
  /**
   * Yields the progress of a campaign: first the present one, then changes, at most once per second. Ends when the
   * campaign is completed, or cancelled and its last call has ended. Reconnects after a broken connection.
   * @example
   * for await (const { completed_leads, total_leads } of client.campaigns.events(campaign.id)) {
   *   console.log(`${completed_leads} of ${total_leads}`);
   * }
   */
  readonly events: (id: string, options?: CampaignWatchOptions) => AsyncGenerator<CampaignProgress, void, void>;
}

interface LeadMethods {
  /**
   * Adds the leads of a CSV file (UTF-8, RFC 4180, up to 10 MiB). The header row has `phone_number`; every other column
   * is a variable. A stream is buffered before it is sent, so that a failed request can be repeated.
   * @example const { errors } = await client.leads.import(campaign.id, 'phone_number,name\n+31201234567,Anna\n');
   */
  readonly import: (
    campaignId: string,
    csv: Csv,
    query?: LeadImportQuery,
    options?: RequestOptions,
  ) => Promise<BulkResult>;
  /**
   * Streams all leads with their outcomes as CSV. Cancel the stream unless you read it to the end, because it occupies
   * a connection.
   * @example await pipeline(await client.leads.export(campaign.id), createWriteStream('leads.csv'));
   */
  readonly export: (
    campaignId: string,
    options?: Omit<RequestOptions, 'idempotencyKey'>,
  ) => Promise<ReadableStream<Uint8Array>>;
}

interface VoiceMethods {
  /**
   * Synthesizes a sample of a voice as WAV: a default sentence, or `text`. Not retried, because each attempt is billed.
   * @example const sample = await client.voices.sample({ tts_config: { provider: 'deepgram', voiceId: 'thalia' } });
   */
  readonly sample: (
    body: BodyOf<RouteTable['voices']['sample']>,
    options?: Omit<RequestOptions, 'idempotencyKey'>,
  ) => Promise<Blob>;
}
