import type * as core from '@va/core';

// Interfaces for the responses of the API, because editors show interfaces by name.

/** An agent: prompt, model, voice and call settings. Durations carry their unit in the field name. */
export interface Agent extends core.Agent {}
/** A reusable plan for the analysis of calls. */
export interface AnalysisTemplate extends core.AnalysisTemplate {}
/** An API key with its scopes. The secret is in the response of `apiKeys.create` only. */
export interface ApiKey extends core.ApiKey {}
/** The domains of the mail provider that an organization can select as sender. */
export interface AvailableMailDomains extends core.AvailableMailDomains {}
/** Result of adding several leads, such as from a CSV file: counts, and the rejected leads with their errors. */
export interface BulkResult extends core.BulkResult {}
/** A provider for which an organization can store its own key, with its category and voices. */
export interface ByokProvider extends core.ByokProvider {}
/** A call with its messages, latency, cost and analysis. Instants are ISO 8601 in UTC. */
export interface Call extends core.Call {}
/** A campaign: an agent that calls a list of leads within calling hours and limits. */
export interface Campaign extends core.Campaign {}
/** Lead and call counts of a campaign at an instant. */
export interface CampaignProgress extends core.CampaignProgress {}
/** Result of a command to a live call. */
export interface ControlAnswer extends core.ControlAnswer {}
/** State of the whole deployment: nodes, providers, registrations and queues. For operators only. */
export interface Deployment extends core.Deployment {}
/** A person to be called by a campaign, with status and outcome. */
export interface Lead extends core.Lead {}
/** The sender domain of an organization with its DNS records and verification status. */
export interface MailDomain extends core.MailDomain {}
/** A tenant with its plan, balances and limits. */
export interface Organization extends core.Organization {}
/** A placed outbound call: its id and initial status. */
export interface OutboundAnswer extends core.OutboundAnswer {}
/** Position of a page in its list: `total`, `limit` and `offset`, all in records. */
export interface Pagination extends core.Pagination {}
/** A number with the agent that answers it and its transfer trunk. */
export interface PhoneNumber extends core.PhoneNumber {}
/** A key that web pages use to start calls. It is not secret; its limits restrict what it allows. */
export interface PublishableKey extends core.PublishableKey {}
/** Peak levels of both channels of a recording, for a waveform. */
export interface RecordingPeaks extends core.RecordingPeaks {}
/** A connection to a carrier or PBX. Credentials are write-only. */
export interface SipTrunk extends core.SipTrunk {}
/** A reusable tool definition. Its secret is write-only. */
export interface ToolTemplate extends core.ToolTemplate {}
/** Result of a trial run of a tool outside of a call. */
export interface ToolTrialAnswer extends core.ToolTrialAnswer {}
/** Health of a trunk as each node sees it. */
export interface TrunkHealth extends core.TrunkHealth {}
/** Billed usage of one call by provider and model. */
export interface UsageLog extends core.UsageLog {}
/** Usage and cost over a period. */
export interface UsageSummary extends core.UsageSummary {}
/** The voices of the configured synthesizers. */
export interface Voices extends core.Voices {}
/** A webhook delivery with its attempts and status. */
export interface WebhookDelivery extends core.WebhookDelivery {}
/** Result of a test event sent to the webhook of an agent. */
export interface WebhookTest extends core.WebhookTest {}

interface Interfaces {
  readonly Agent: Agent;
  readonly AnalysisTemplate: AnalysisTemplate;
  readonly ApiKey: ApiKey;
  readonly AvailableMailDomains: AvailableMailDomains;
  readonly BulkResult: BulkResult;
  readonly ByokProvider: ByokProvider;
  readonly Call: Call;
  readonly Campaign: Campaign;
  readonly ControlAnswer: ControlAnswer;
  readonly Deployment: Deployment;
  readonly Lead: Lead;
  readonly MailDomain: MailDomain;
  readonly Organization: Organization;
  readonly OutboundAnswer: OutboundAnswer;
  readonly Pagination: Pagination;
  readonly PhoneNumber: PhoneNumber;
  readonly PublishableKey: PublishableKey;
  readonly RecordingPeaks: RecordingPeaks;
  readonly SipTrunk: SipTrunk;
  readonly ToolTemplate: ToolTemplate;
  readonly ToolTrialAnswer: ToolTrialAnswer;
  readonly TrunkHealth: TrunkHealth;
  readonly UsageLog: UsageLog;
  readonly UsageSummary: UsageSummary;
  readonly Voices: Voices;
  readonly WebhookDelivery: WebhookDelivery;
  readonly WebhookTest: WebhookTest;
}

/** Replaces result types by the interfaces with the same fields: directly, in lists, and in pages. */
export type Named<Result> = Result extends readonly (infer Item)[]
  ? NamedOne<Item>[]
  : Result extends object
    ? IsNamed<Result> extends true
      ? NamedOne<Result>
      : {
          [Key in keyof Result]: Result[Key] extends readonly (infer Item)[] ? NamedOne<Item>[] : NamedOne<Result[Key]>;
        }
    : Result;

type InterfaceOf<T> = {
  [Name in keyof Interfaces]: [T, Interfaces[Name]] extends [Interfaces[Name], T] ? Interfaces[Name] : never;
}[keyof Interfaces];
type IsNamed<T> = [InterfaceOf<T>] extends [never] ? false : true;
type NamedOne<T> = IsNamed<T> extends true ? InterfaceOf<T> : T;
