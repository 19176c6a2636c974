import { sampleSentence } from '@va/language';
import { usedUpBalance } from '../../calls/limits/limits.ts';
import { chargeCredit } from '../../costs/charge-credit.ts';
import type { PriceList } from '../../costs/price-list.ts';
import { UsageMeter } from '../../costs/usage-meter.ts';
import type { TtsConfig } from '../../domain/agents/agent.ts';
import { type NewVoiceSample, voiceSampleSchema } from '../../domain/agents/speech/voice-sample.ts';
import type { CostItem } from '../../domain/costs/cost-item.ts';
import { ProviderError, type ProviderFault, RequestError, toError } from '../../errors.ts';
import { invalidInput, parseInput } from '../../input/parse-input.ts';
import { checkId, requireFound } from '../../input/require-found.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { TextToSpeech } from '../../ports/providers/text-to-speech.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { Vault } from '../../ports/vault.ts';
import { sourceOf } from '../../providers/chain.ts';
import { readOwnKeys } from '../../providers/own-keys.ts';
import { synthesizeSample } from '../../voice-samples/synthesize-sample.ts';
import type { VoiceSampler } from '../../voice-samples/voice-sampler.ts';
import { limitError } from '../limit-error.ts';
import { type AgentCheck, checkAgent } from './agent-checks.ts';

export type OnVoiceSampled = (sampled: { readonly orgId: string; readonly usage: readonly CostItem[] }) => void;

/** Dependencies of the operations on voices. */
export interface VoiceDependencies {
  readonly storage: Storage;
  readonly vault: Vault | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly synthesizers: readonly TextToSpeech[];
  readonly sampler: VoiceSampler;
  /** Without it samples have no cost. */
  readonly prices?: Pick<PriceList, 'unitPrice'> | undefined;
  /** Called with the usage of each sample. */
  readonly onVoiceSampled?: OnVoiceSampled | undefined;
  readonly check: Pick<AgentCheck, 'providers' | 'schemas'>;
}

/** Reasons of failures for API messages. The vendor's own message is left out, because it may quote the key. */
const faultTexts: Readonly<Record<ProviderFault, string>> = {
  auth: 'it refused the key',
  quota: 'its quota or credit is used up',
  invalid_request: 'it refused the request; check the voice, the model and the settings',
  timeout: 'it did not answer in time',
  connection: 'it could not be reached',
  unavailable: 'it is not available',
  protocol: 'it answered without usable audio',
};

/** Returns a sample of a voice as a WAV file, see `VoiceOperations.sample`. */
export async function sampleVoice(
  deps: VoiceDependencies,
  orgId: string,
  input: NewVoiceSample,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  checkId('organization', orgId);
  const { tts_config: written, language: wanted, text } = parseInput(voiceSampleSchema, input);
  const { fallbacks: _, ...config } = written;
  await checkAgent(
    { tts_config: config },
    { ...deps.check, orgId, tools: undefined, clips: undefined, currency: undefined },
  );
  const provider = findSynthesizer(deps.synthesizers, config);
  const organization = requireFound(await deps.storage.organizations.get(orgId, orgId), 'organization', orgId);
  const passed = usedUpBalance(organization);
  if (passed !== null) throw limitError(passed);
  const keys = await readOwnKeys(deps, orgId, [provider]);
  const source = sourceOf({ provider, config }, { keys, orgId });
  const language = config.language ?? wanted;
  const request = {
    orgId,
    signal,
    // A cached sample of a given text would show other organizations that this one had the text spoken.
    owner: source.ownKey || text !== undefined ? orgId : null,
    contents: [provider.id, config, language ?? null, text ?? null, source.ownKey],
  };
  return await deps.sampler.sample(request, async (stopped) => {
    const meter = deps.prices === undefined ? null : new UsageMeter(deps.prices, deps.clock);
    const { apiKey } = keys.of(provider);
    const sample = { provider, config, text: text ?? sampleSentence(language), language, apiKey };
    try {
      return await synthesizeSample(sample, { ...deps, billing: meter && { meter, source } }, stopped);
    } catch (thrown) {
      throw stopped.aborted ? thrown : failureOf(deps, provider, thrown);
    } finally {
      // A vendor also bills a synthesis that was stopped.
      if (meter !== null) await charge(deps, orgId, meter);
    }
  });
}

/** @throws RequestError 400 */
function findSynthesizer(synthesizers: readonly TextToSpeech[], { provider: id }: TtsConfig): TextToSpeech {
  const found = synthesizers.find((each) => each.id === id);
  if (found !== undefined) return found;
  const known = synthesizers.map((each) => each.id).join(', ') || 'none';
  const message = `there is no tts provider ${id}; there are: ${known}`;
  throw invalidInput([{ path: 'tts_config.provider', code: 'invalid_reference', message }]);
}

function failureOf({ logger }: VoiceDependencies, { id }: TextToSpeech, thrown: unknown): RequestError {
  logger.warn({ kind: 'tts', provider: id, err: toError(thrown) }, 'failed to make a sample of a voice');
  const fault = thrown instanceof ProviderError ? thrown.fault : 'protocol';
  const message = `The provider ${id} made no sample: ${faultTexts[fault]}.`;
  return fault === 'timeout'
    ? new RequestError(504, 'provider_timeout', message)
    : new RequestError(502, 'provider_error', message);
}

/** Charges the usage. Never rejects: the sample has been made, and its cost is below a cent. */
async function charge(deps: VoiceDependencies, orgId: string, meter: UsageMeter): Promise<void> {
  const usage = meter.items();
  if (usage.length === 0) return;
  try {
    await chargeCredit(deps.storage, orgId, meter.total);
  } catch (thrown) {
    deps.logger.warn({ err: toError(thrown), orgId }, 'failed to charge a sample of a voice');
  }
  deps.onVoiceSampled?.({ orgId, usage });
}
