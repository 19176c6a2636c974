import { type Voice, type Voices, xaiRealtimeVoices } from '../../domain/agents/voice.ts';
import { checkId, requireFound } from '../../input/require-found.ts';
import { vendorOf } from '../../ports/providers/provider-traits.ts';
import type { TextToSpeech } from '../../ports/providers/text-to-speech.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { hasLocalModelsAccess } from '../accounts/organizations.ts';

export interface VoiceOperations {
  /**
   * The voices that the organization's agents can have. Local ones only for an organization that is approved for them
   * on the plan `enterprise`; none of a provider at which it has a key of its own, as those are in its own library
   * there. The voices of the realtime mode stand by themselves. 404 `organization_not_found`.
   */
  list(orgId: string): Promise<Voices>;
}

export interface VoiceDependencies {
  readonly storage: Storage;
  /** Those that speak. */
  readonly synthesizers: readonly TextToSpeech[];
}

export function createVoiceOperations({ storage, synthesizers }: VoiceDependencies): VoiceOperations {
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
  };
}
