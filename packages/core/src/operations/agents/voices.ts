import { type Voice, type Voices, xaiRealtimeVoices } from '../../domain/agents/voice.ts';
import { checkId, requireFound } from '../../input/require-found.ts';
import { vendorOf } from '../../ports/providers/provider-traits.ts';
import type { TextToSpeech } from '../../ports/providers/text-to-speech.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { hasLocalModelsAccess } from '../accounts/organizations.ts';

export interface VoiceOperations {
  /**
   * Returns the voices available to the organization's agents, those of the realtime mode separately. Local voices
   * require an approved organization on the plan `enterprise`. A provider for which the organization has its own key is
   * left out, because its voices are in the organization's own library there. 404 `organization_not_found`.
   */
  list(orgId: string): Promise<Voices>;
}

export interface VoiceDependencies {
  readonly storage: Storage;
  /** The registered synthesizers. */
  readonly synthesizers: readonly TextToSpeech[];
}

/** Creates the operations on voices; `createOperations` creates all groups. */
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
