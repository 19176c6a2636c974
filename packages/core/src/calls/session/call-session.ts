import type { DtmfDigit } from '@va/media';
import { within } from '../../async/within.ts';
import type { ConversationRunner } from '../../conversation/runner/runner.ts';
import type { ConversationNotice } from '../../conversation/state/effects.ts';
import type { Ending } from '../../conversation/state/phase.ts';
import type { UsageMeter } from '../../costs/usage-meter.ts';
import type { Logger } from '../../ports/logger.ts';
import type { RecordingSink } from '../../ports/recordings.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { MediaLeg } from '../../ports/telephony.ts';
import type { Vault } from '../../ports/vault.ts';
import { readOwnKeys } from '../../providers/own-keys.ts';
import type { ProviderWatch } from '../../providers/provider-watch.ts';
import type { Assistant } from '../assistant.ts';
import type { CallOrigin } from '../call-origin.ts';
import type { DestinationGuard } from '../limits/destination-guard.ts';
import type { Scope } from '../scope.ts';
import type { CallTools } from '../tools/call-tools.ts';
import { listProviders, requireProviders } from './call-providers.ts';
import { conversationLanguages } from './conversation-languages.ts';
import {
  type ConversationDependencies,
  type ConversationSetup,
  type PreparedConversation,
  prepareConversation,
} from './conversation-setup.ts';
import { Keyterms } from './keyterms.ts';
import type { CallerHandover } from './leg-actions.ts';
import type { ProviderRegistry } from './provider-registry.ts';

/** Maximum extra ringing time of an inbound call while its first message is prepared. */
const greetingTimeoutMs = 1_000;

export interface SessionDependencies extends ConversationDependencies {
  readonly storage: Storage;
  /** Stores customer-supplied provider keys. */
  readonly vault: Vault | undefined;
  readonly registry: ProviderRegistry;
  readonly destinations: Pick<DestinationGuard, 'refusal'>;
}

export interface CallSessionOptions {
  readonly orgId: string;
  readonly callId: string;
  readonly origin: Pick<CallOrigin, 'line' | 'answering' | 'greetsWhenHeard' | 'keysOnAnswer'>;
  readonly assistant: Assistant;
  /** Values of the placeholders in prompt and first message. */
  readonly variables: Record<string, unknown> | null;
  readonly logger: Logger;
  readonly scope: Scope;
  readonly watch: ProviderWatch;
  /** Adds up what the providers bill. */
  readonly meter: UsageMeter;
  /**
   * Returns the handover, which connects the caller with a destination through a trunk; null if the call has no trunk.
   */
  readonly handover: (setup: ConversationSetup) => CallerHandover | null;
  readonly tools: Pick<CallTools, 'list' | 'run'>;
  readonly onNotice: (notice: ConversationNotice) => void;
  /** Called after each step of the conversation. */
  readonly onState: NonNullable<ConversationSetup['onState']>;
  readonly onMedia: NonNullable<ConversationSetup['onMedia']>;
  readonly onLevels: NonNullable<ConversationSetup['onLevels']>;
  readonly onDtmf: (digit: DtmfDigit) => void;
  readonly onEnd: (ending: Ending) => void;
  /** Called when the media stop; the promise resolves when the recording has all of them. */
  readonly onStopping: (stopped: Promise<void>) => void;
}

/** The conversation of one call with its agent: prepared while the call rings, begun when it is answered. */
export class CallSession {
  readonly #setup: ConversationSetup;
  readonly #keyterms: Keyterms;
  readonly #prepared: PreparedConversation | null;
  #runner: ConversationRunner | null = null;

  /**
   * Reads the organization's provider keys, and connects the providers if the line's audio format is known.
   * @throws VaError if a provider is not registered; VaultError; ProviderRefusal
   */
  static async open(deps: SessionDependencies, options: CallSessionOptions): Promise<CallSession> {
    const providers = requireProviders(options.assistant, deps.registry, options.logger);
    const keys = await readOwnKeys(deps, options.orgId, listProviders(providers));
    return new CallSession(deps, options, providers, keys);
  }

  private constructor(
    deps: SessionDependencies,
    options: CallSessionOptions,
    providers: ConversationSetup['providers'],
    keys: ConversationSetup['keys'],
  ) {
    const { orgId, callId, origin, assistant, variables, handover, tools, ...rest } = options;
    this.#keyterms = new Keyterms(assistant.sttConfig?.keyterms, variables);
    const setup: ConversationSetup = {
      ...deps,
      ...rest,
      orgId,
      providers,
      keys,
      assistant,
      variables,
      keyterms: this.#keyterms,
      tools: tools.list,
      runTool: tools.run,
      answering: origin.answering,
      greetsWhenHeard: origin.greetsWhenHeard,
      keysOnAnswer: origin.keysOnAnswer,
      mayTransferTo: (destination) => deps.destinations.refusal({ orgId, callId, destination, purpose: 'transfer' }),
    };
    this.#setup = { ...setup, handover: handover(setup) };
    const { format } = origin.line;
    this.#prepared = format === undefined ? null : prepareConversation(this.#setup, format);
  }

  /** Null before the conversation begins. */
  get runner(): ConversationRunner | null {
    return this.#runner;
  }

  get assistant(): Assistant {
    return this.#setup.assistant;
  }

  /** Resolves when the first message can be played without delay, after 1 s at the latest. */
  async greetingReady(): Promise<void> {
    const { clock, scope } = this.#setup;
    if (this.#prepared !== null) {
      await within(greetingTimeoutMs, clock, this.#prepared.greetingReady, scope.signal);
    }
  }

  /** @throws ProviderRefusal */
  begin(leg: MediaLeg, recording: RecordingSink | null): ConversationRunner {
    this.#runner = (this.#prepared ?? prepareConversation(this.#setup, leg.format)).begin({ leg, recording });
    return this.#runner;
  }

  /** Fills the placeholders of key terms and prompt with new values. */
  setVariables(variables: Record<string, unknown>): void {
    this.#keyterms.setVariables(variables);
    this.#runner?.dispatch({ type: 'prompt-changed', languages: conversationLanguages(this.assistant, variables) });
  }
}
