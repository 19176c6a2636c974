import type { OnCallEnded, Pricing } from './calls/call-end.ts';
import type { MayDial } from './calls/destination-guard.ts';
import type { OrganizationLimits } from './calls/organization-shares.ts';
import type { MayCall } from './campaigns/dialing/may-call.ts';
import type { ClusterOptions } from './cluster/cluster-options.ts';
import type { RandomBytes } from './ids.ts';
import type { MayUseDomain } from './operations/mail-domains.ts';
import type { MayUseNumber } from './operations/numbers.ts';
import type { HostPrincipal } from './operations/principal.ts';
import type { Clock } from './ports/clock.ts';
import type { DnsResolver } from './ports/dns.ts';
import type { Logger } from './ports/logger.ts';
import type { MailProvider } from './ports/mail-provider.ts';
import type { MailSender } from './ports/mail-sender.ts';
import type { Provider } from './ports/provider.ts';
import type { RecordingStore } from './ports/recordings.ts';
import type { Storage } from './ports/storage/storage.ts';
import type { Telephony } from './ports/telephony.ts';
import type { Vault } from './ports/vault.ts';
import type { VoiceActivityDetector } from './ports/voice-activity.ts';
import type { WebhookDispatcher } from './ports/webhooks.ts';
import type { RecordingLinksOptions } from './recordings/recording-links.ts';

export interface VoiceAgentsOptions {
  readonly storage: Storage;
  readonly providers: readonly Provider[];
  readonly webhooks: WebhookDispatcher;
  readonly telephony?: readonly Telephony[];
  /** Where secrets are kept; without one, what needs one kept answers 503. */
  readonly vault?: Vault;
  /** Who sends the organizations' mails; without one, what needs it answers 503. */
  readonly mail?: MailProvider;
  /** Who brings the mails to `notification_email` on their way; by default `mail` does, where it can. */
  readonly mailer?: MailSender;
  /** Whom those mails come from where an organization has no verified domain of its own; without it they are not sent then. */
  readonly mailFrom?: string;
  /** Looks up the records of mail domains; the servers of the machine by default. */
  readonly dns?: DnsResolver;
  /** A folder `va-recordings` in the working directory by default. */
  readonly recordings?: RecordingStore;
  /**
   * Makes links to recordings that open without a key, for mails, where the store makes none itself (a bucket does). Without it there are
   * none then.
   */
  readonly recordingLinks?: RecordingLinksOptions;
  /** Silero v6 by default. */
  readonly vad?: VoiceActivityDetector;
  /** Where the API is reached from outside, such as `https://example.com/voice`; prefixes the links in records. */
  readonly publicUrl?: string;
  /** Replaces the service's own API keys. */
  readonly authenticate?: (request: Request) => Promise<HostPrincipal | null>;
  /** Calls beyond this are refused with SIP 503. 200 by default. */
  readonly maxConcurrentCalls?: number;
  /** What one organization may have of the calls of this process. */
  readonly limits?: OrganizationLimits;
  /**
   * Calls are refused with SIP 503 while the event loop of this process is later than this, in milliseconds, in most moments: one call
   * more would harm those it has. 500 by default.
   */
  readonly maxEventLoopLagMs?: number;
  /** About this process as one of several on one storage. */
  readonly cluster?: ClusterOptions;
  /** Ends a call from which no audio comes; 30 s before the first frame and 15 s after it by default. */
  readonly mediaTimeout?: { readonly initialMs: number; readonly generalMs: number };
  /** Writes to the host's own tables in the transaction that ends a call. */
  readonly onCallEnded?: OnCallEnded;
  /** What a minute of a call costs; without it, calls and usage have no cost. */
  readonly pricing?: Pricing;
  /**
   * The model that reads calls of agents that bring none for it, such as those that speak themselves: as `llm_config` of an agent
   * names it. Without it such calls have no summary.
   */
  readonly analysisModel?: { readonly provider: string; readonly model?: string; readonly temperature?: number };
  /**
   * `checkProviders: false` lets agents name providers that are not registered here, with any settings, for deployments that create
   * agents ahead of their providers. Their calls then fail with `internal_error`.
   */
  readonly agents?: { readonly checkProviders?: boolean };
  /** Which destinations the service calls and transfers to, beside the organizations' `dial_policy`; all by default. */
  readonly calls?: { readonly mayDial?: MayDial };
  /** Which mail domains of the host's account organizations may use; by default none, where there are several organizations. */
  readonly mailDomains?: { readonly mayUseDomain?: MayUseDomain };
  /** Which phone numbers organizations may register; all by default. */
  readonly numbers?: { readonly mayUseNumber?: MayUseNumber };
  /** Who else has a say in whom campaigns call. */
  readonly campaigns?: { readonly mayCall?: MayCall };
  /** pino on standard output by default, with known secret fields redacted. */
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly random?: RandomBytes;
}
