import type { MayDial } from '../calls/limits/destination-guard.ts';
import type { OrganizationLimits } from '../calls/limits/organization-shares.ts';
import type { OnCallEnded } from '../calls/record/call-end.ts';
import type { MayCall } from '../campaigns/dialing/may-call.ts';
import type { ClusterOptions } from '../cluster/cluster-options.ts';
import type { TurnPolicy } from '../conversation/turn-policy/turn-policy.ts';
import type { Pricing } from '../costs/pricing.ts';
import type { ByokProvider } from '../domain/accounts/byok.ts';
import type { Price } from '../domain/costs/price.ts';
import type { RandomBytes } from '../ids.ts';
import type { MayUseDomain } from '../operations/accounts/mail-domains.ts';
import type { HostPrincipal } from '../operations/accounts/principal.ts';
import type { MayUseNumber } from '../operations/lines/numbers.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { DnsResolver } from '../ports/mail/dns.ts';
import type { MailProvider } from '../ports/mail/mail-provider.ts';
import type { MailSender } from '../ports/mail/mail-sender.ts';
import type { VoiceActivityDetector } from '../ports/media/voice-activity.ts';
import type { Provider } from '../ports/providers/provider.ts';
import type { RecordingStore } from '../ports/recordings.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { Telephony } from '../ports/telephony.ts';
import type { ToolServers } from '../ports/tool-servers.ts';
import type { TurnModel } from '../ports/turn-model.ts';
import type { Vault } from '../ports/vault.ts';
import type { WebhookDispatcher } from '../ports/webhooks.ts';
import type { RecordingLinksOptions } from '../recordings/recording-links.ts';
import type { HostTool } from '../tools/define-tool.ts';

/** Mail domains of organizations, and mails to `notification_email`. */
export interface MailOptions {
  /** Manages the organizations' mail domains. Without it, operations on mail domains throw 503. */
  readonly provider?: MailProvider;
  /** Sends the mails to `notification_email`; by default `provider`, if it can send. */
  readonly sender?: MailSender;
  /** Sender address used when the organization has no verified domain. Without it, such mails are not sent. */
  readonly from?: string;
  /** Looks up the DNS records of mail domains; by default with the machine's name servers. */
  readonly dns?: DnsResolver;
  /**
   * Decides which domains of the host's account an organization may use; by default none if there are several
   * organizations.
   */
  readonly mayUseDomain?: MayUseDomain;
}

/** Limits of this process. Calls beyond them are refused with SIP 503. */
export interface ServiceLimits extends OrganizationLimits {
  /** Maximum number of concurrent calls; 200 by default. */
  readonly maxConcurrentCalls?: number;
  /** Delay of the event loop (95th percentile, in milliseconds) above which no call is accepted; 500 by default. */
  readonly maxEventLoopLagMs?: number;
}

/** The turn model of a service. */
export interface TurnModelOptions {
  readonly model: TurnModel;
  /** Time for an estimate in milliseconds, after which the turn policy decides without it; 50 by default. */
  readonly deadlineMs?: number;
}

/** Options of `createVoiceAgents`. */
export interface VoiceAgentsOptions {
  readonly storage: Storage;
  /** Speech, language and realtime models. Lists may be nested, as some packages return several providers. */
  readonly providers: readonly (Provider | readonly Provider[])[];
  /**
   * Vendors for which organizations can store their own key, in addition to those of the registered providers: for
   * deployments that store keys ahead of their providers. None by default.
   * @example import { vendorCatalog } from '@va/providers/catalog';
   */
  readonly catalog?: readonly ByokProvider[];
  readonly webhooks: WebhookDispatcher;
  /**
   * Tools that run in this process, for agents that name them in `llm_config.tools`.
   * @see defineTool
   */
  readonly tools?: readonly HostTool[];
  /**
   * WAV files by name, which agents play as music on hold (`speech_config.hold.clip`) or behind the voice
   * (`speech_config.ambient.clip`): at most 200, each 24 MiB and 10 minutes long. Decoded at the start.
   * @example { waltz: await readFile('waltz.wav') }
   */
  readonly clips?: Readonly<Record<string, Uint8Array>>;
  /** Client of MCP servers, such as `mcp()` of `@va/mcp/client`. Without one, agents cannot use MCP servers. */
  readonly mcp?: ToolServers;
  /** Adapters that receive and place calls, such as `sip()`. Without one, the service only serves its API. */
  readonly telephony?: readonly Telephony[];
  /** Stores secrets. Without it, operations that store one respond 503. */
  readonly vault?: Vault;
  readonly mail?: MailOptions;
  /** Stores recordings; by default in the folder `va-recordings` of the working directory. */
  readonly recordings?: RecordingStore;
  /**
   * Signs links to recordings that open without a key, for mails. Not needed for a store that signs links itself, such
   * as S3. By default there are no such links.
   */
  readonly recordingLinks?: RecordingLinksOptions;
  /** Detects speech; Silero v6 by default. */
  readonly vad?: VoiceActivityDetector;
  /**
   * Replaces strategies of the default turn policy: when a turn of the caller starts and ends, when the caller may
   * interrupt, and when the caller is muted. Applies to all agents; strategies MUST be pure.
   * @see TurnPolicy
   */
  readonly turnPolicy?: Partial<TurnPolicy>;
  /**
   * Estimates in pauses whether the caller's turn is over, for the turn policy. Costs 64 KB of memory per call, for the
   * caller's last 8 s. None by default.
   * @see TurnModel
   */
  readonly turnModel?: TurnModelOptions;
  /** Public base URL of the API, such as `https://example.com/voice`; prefixes the links in records. */
  readonly publicUrl?: string;
  /** Replaces the service's API keys. Returns null for a request without valid credentials. */
  readonly authenticate?: (request: Request) => Promise<HostPrincipal | null>;
  /**
   * Ids of organizations whose members operate the deployment: their API keys with the scope `deployment:read` see its
   * nodes and their load. None by default, because the load is that of all organizations together.
   * @example [defaultOrganizationId]
   */
  readonly operators?: readonly string[];
  readonly limits?: ServiceLimits;
  /** Settings of this process as one of several on the same storage. */
  readonly cluster?: ClusterOptions;
  /**
   * Ends a call without incoming audio, in milliseconds: 30,000 before the first frame and 15,000 after it by default.
   */
  readonly mediaTimeout?: { readonly initialMs: number; readonly generalMs: number };
  /** Writes to the host's own tables in the transaction that ends a call. */
  readonly onCallEnded?: OnCallEnded;
  /** Price per minute of a call, such as that of telephony. Without it and `prices`, calls and usage have no cost. */
  readonly pricing?: Pricing;
  /** ISO 4217 code of `prices`, such as `EUR`; that of `pricing` by default. */
  readonly currency?: string;
  /**
   * Prices of providers, for the cost of calls. Usage without a price is recorded with its quantity alone.
   * @example [{ provider: 'openai', model: 'gpt-4.1-mini', kind: 'input_tokens', price: 0.4, per: 'million_tokens' }]
   */
  readonly prices?: readonly Price[];
  /**
   * Model for the analysis of calls whose agent has no text model, such as realtime agents, in the form of
   * `llm_config`. Without it, such calls have no summary.
   */
  readonly analysisModel?: { readonly provider: string; readonly model?: string; readonly temperature?: number };
  /**
   * `checkProviders: false` lets agents name providers that are not registered here, with any settings, for deployments
   * that create agents ahead of their providers. Calls of such agents fail with `internal_error`.
   */
  readonly agents?: { readonly checkProviders?: boolean };
  /** Decides on destinations of calls and transfers, in addition to `dial_policy`; all are allowed by default. */
  readonly calls?: { readonly mayDial?: MayDial };
  /** Decides which phone numbers an organization may register; all by default. */
  readonly numbers?: { readonly mayUseNumber?: MayUseNumber };
  /** Decides on each call of a campaign, in addition to the do-not-call list; all are allowed by default. */
  readonly campaigns?: { readonly mayCall?: MayCall };
  /** pino on standard output by default, with known secret fields redacted. */
  readonly logger?: Logger;
  /** Source of time; the system clock by default. */
  readonly clock?: Clock;
  /** Source of random bytes for ids and keys; `node:crypto` by default. */
  readonly random?: RandomBytes;
}
