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
 * The REST API, by the groups and names of its table of routes. Methods take the ids of the path, then the body or the
 * query, then options; they give the result out of its wrapping. They throw `ApiError` when the service refuses,
 * `ConnectionError` when there is no answer that can be read, and the signal's reason when they are aborted.
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
        /** Yields all records of the list, requesting it page by page. */
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

/** A date is a day in UTC, or an ISO 8601 date-time with a time zone; an end given as a day includes that day. */
export interface CallQuery extends Omit<QueryOf<RouteTable['calls']['list']>, 'status'> {
  readonly status?: CallStatus | readonly CallStatus[] | undefined;
}

export interface LeadImportQuery extends Omit<QueryOf<RouteTable['leads']['import']>, 'dry_run'> {
  /** Validates and counts without storing anything. */
  readonly dry_run?: boolean | undefined;
}

/** Methods beyond one JSON request and response. */
type Own<Group> = Group extends keyof OwnMethods ? OwnMethods[Group] : unknown;

interface OwnMethods {
  readonly calls: CallMethods;
  readonly campaigns: CampaignMethods;
  readonly leads: LeadMethods;
  readonly voices: VoiceMethods;
}

interface CallMethods {
  /**
   * Yields the events of a call from its start to its end, during the call or afterwards. A broken connection is
   * resumed after the last event.
   * @example for await (const event of client.calls.events(call.call_id)) console.log(event.type, event);
   */
  readonly events: (id: string, options?: WatchOptions) => AsyncGenerator<CallEvent, void, void>;
  /**
   * Yields the events of all calls of the organization, from now on or after `lastEventId`, until the signal aborts. A
   * broken connection is resumed, and no event is yielded twice.
   * @example for await (const event of client.calls.watch({ signal })) console.log(event.call_id, event.type);
   */
  readonly watch: (options?: WatchOptions) => AsyncGenerator<CallEvent, void, void>;
  /**
   * Yields the passing moments of the calls that go on, or of one: who has the floor, what the agent waits for, the
   * caller's words so far; the present ones first, then what changes, until the signal aborts.
   * @example for await (const event of client.calls.live()) if (event.type === 'state') console.log(event.state);
   */
  readonly live: (query?: LiveQuery, options?: LiveOptions) => AsyncGenerator<LiveEvent, void, void>;
  /** Returns the recording, a stereo WAV with the caller on the left and the agent on the right. */
  readonly recording: (id: string, options?: RecordingOptions) => Promise<Recording>;
}

interface CampaignMethods {
  /**
   * Yields the progress of a campaign: at once, and on each change, at most once a second, until the campaign is
   * completed, or cancelled with its last call ended. A broken connection is resumed.
   * @example for await (const { completed_leads, total_leads } of client.campaigns.events(campaign.id)) {
   *   console.log(`${completed_leads} of ${total_leads}`); }
   */
  readonly events: (id: string, options?: CampaignWatchOptions) => AsyncGenerator<CampaignProgress, void, void>;
}

interface LeadMethods {
  /**
   * Adds the leads of a CSV file (UTF-8, RFC 4180): a header row with `phone_number`; every other column is a variable.
   * A stream is buffered before it is sent, so that a failed request can be repeated; the service accepts 10 MiB.
   */
  readonly import: (
    campaignId: string,
    csv: Csv,
    query?: LeadImportQuery,
    options?: RequestOptions,
  ) => Promise<BulkResult>;
  /**
   * Streams all leads with their outcomes as CSV. Cancel the stream if you do not read it to the end, because it
   * occupies a connection.
   * @example await pipeline(await client.leads.export(campaign.id), createWriteStream('leads.csv'));
   */
  readonly export: (
    campaignId: string,
    options?: Omit<RequestOptions, 'idempotencyKey'>,
  ) => Promise<ReadableStream<Uint8Array>>;
}

interface VoiceMethods {
  /**
   * Returns a WAV file in which a voice speaks: a sentence of the service, or `text`. A failure of the provider is not
   * repeated.
   * @example const sample = await client.voices.sample({ tts_config: { provider: 'deepgram', voiceId: 'thalia' } });
   */
  readonly sample: (
    body: BodyOf<RouteTable['voices']['sample']>,
    options?: Omit<RequestOptions, 'idempotencyKey'>,
  ) => Promise<Blob>;
}
