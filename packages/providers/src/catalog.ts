import type { ByokProvider } from '@va/core';
import { assemblyaiCatalog } from './assemblyai/catalog.ts';
import { cartesiaCatalog, cartesiaTranscriptionCatalog } from './cartesia/catalog.ts';
import { deepgramCatalog, deepgramSpeechCatalog } from './deepgram/catalog.ts';
import { elevenlabsCatalog, elevenlabsTranscriptionCatalog } from './elevenlabs/catalog.ts';
import { geminiCatalog } from './gemini/catalog.ts';
import {
  openaiCatalog,
  openaiRealtimeCatalog,
  openaiSpeechCatalog,
  openaiTranscriptionCatalog,
} from './openai/catalog.ts';
import { xaiCatalog } from './xai/catalog.ts';

/**
 * Catalog entries of all vendors with an adapter in this package. Registered adapters bring their own entry; pass this
 * list to have organizations store keys for the others as well.
 *
 * @example createVoiceAgents({ catalog: vendorCatalog, … })
 */
export const vendorCatalog: readonly ByokProvider[] = [
  deepgramCatalog,
  openaiCatalog,
  openaiRealtimeCatalog,
  openaiTranscriptionCatalog,
  openaiSpeechCatalog,
  elevenlabsCatalog,
  xaiCatalog,
  cartesiaCatalog,
  deepgramSpeechCatalog,
  assemblyaiCatalog,
  elevenlabsTranscriptionCatalog,
  geminiCatalog,
  cartesiaTranscriptionCatalog,
];
