import { type Voice, type Voices, xaiRealtimeVoices } from '../../domain/agents/speech/voice.ts';
import type { NewVoiceSample } from '../../domain/agents/speech/voice-sample.ts';
import { checkId, requireFound } from '../../input/require-found.ts';
import { vendorOf } from '../../ports/providers/provider-traits.ts';
import { hasLocalModelsAccess } from '../accounts/organizations.ts';
import { sampleVoice, type VoiceDependencies } from './voice-samples.ts';

/** Operations on voices. */
export interface VoiceOperations {
  /**
   * Returns the voices available to the organization's agents, those of the realtime mode separately. Local voices
   * require an approved organization on the plan `enterprise`. A provider for which the organization has its own key is
   * left out, because its voices are in the organization's own library there. 404 `organization_not_found`.
   */
  list(orgId: string): Promise<Voices>;
  /**
   * Returns a sample of a voice as a WAV file of one channel, 16 bits and 16 kHz, at most 30 s long. Input:
   * `voiceSampleSchema`. Synthesized with the organization's own key if it has one, and charged to its credit by the
   * host's prices; samples that were made lately are repeated without cost. 400 `invalid_reference` for a provider that
   * is not registered, 402 `insufficient_credits`, 429 `rate_limit_exceeded` for too many at a time, 502
   * `provider_error`, 503 `unavailable` for an own key without a vault, 504 `provider_timeout` after 20 s.
   *
   * @param options.signal stops the synthesis if nobody else waits for the same sample
   */
  sample(orgId: string, input: NewVoiceSample, options?: { readonly signal?: AbortSignal }): Promise<Uint8Array>;
}

/** Creates the operations on voices; `createOperations` creates all groups. */
export function createVoiceOperations(deps: VoiceDependencies): VoiceOperations {
  const { storage, synthesizers } = deps;
  return {
    async list(orgId) {
      checkId('organization', orgId);
      const organization = requireFound(await storage.organizations.get(orgId, orgId), 'organization', orgId);
      const keys = await storage.byokKeys.list(orgId, { limit: 1_000 });
      const hasLocal = hasLocalModelsAccess(organization);
      const ownVendors = new Set(keys.map(({ provider }) => provider));
      const offered = synthesizers.filter((each) => (each.isLocal ? hasLocal : !ownVendors.has(vendorOf(each))));
      const voices = offered.flatMap((each): readonly Voice[] => each.voices ?? []);
      return { voices, xai_realtime_voices: [...xaiRealtimeVoices] };
    },

    sample: (orgId, input, { signal } = {}) => sampleVoice(deps, orgId, input, signal),
  };
}
