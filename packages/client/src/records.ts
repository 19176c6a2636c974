import type * as core from '@va/core';

// Responses of the API as interfaces, because editors show those by name.

export interface Agent extends core.Agent {}
export interface AnalysisTemplate extends core.AnalysisTemplate {}
export interface ApiKey extends core.ApiKey {}
export interface AvailableMailDomains extends core.AvailableMailDomains {}
export interface BulkResult extends core.BulkResult {}
export interface ByokProvider extends core.ByokProvider {}
export interface Call extends core.Call {}
export interface Campaign extends core.Campaign {}
export interface CampaignProgress extends core.CampaignProgress {}
export interface ControlAnswer extends core.ControlAnswer {}
export interface Deployment extends core.Deployment {}
export interface Lead extends core.Lead {}
export interface MailDomain extends core.MailDomain {}
export interface Organization extends core.Organization {}
export interface OutboundAnswer extends core.OutboundAnswer {}
export interface Pagination extends core.Pagination {}
export interface PhoneNumber extends core.PhoneNumber {}
export interface PublishableKey extends core.PublishableKey {}
export interface RecordingPeaks extends core.RecordingPeaks {}
export interface SipTrunk extends core.SipTrunk {}
export interface ToolTemplate extends core.ToolTemplate {}
export interface ToolTrialAnswer extends core.ToolTrialAnswer {}
export interface TrunkHealth extends core.TrunkHealth {}
export interface UsageLog extends core.UsageLog {}
export interface UsageSummary extends core.UsageSummary {}
export interface Voices extends core.Voices {}
export interface WebhookDelivery extends core.WebhookDelivery {}
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
