import { audioCodecs, type CodecName, telephoneEventPayloadTypes } from '../codec/audio-codec.ts';
import type { Agreement, PayloadMapping } from './agreement.ts';

/** What a payload type stands for. */
export type PayloadKind =
  | { readonly kind: 'audio'; readonly codec: CodecName; readonly clockRateHz: number }
  | { readonly kind: 'events'; readonly clockRateHz: number }
  | { readonly kind: 'noise' };

/** Numbers that mean the same in every call: they are understood whether anybody has named them or not. */
const staticKinds: readonly [number, PayloadKind][] = [
  [0, { kind: 'audio', codec: 'pcmu', clockRateHz: 8_000 }],
  [8, { kind: 'audio', codec: 'pcma', clockRateHz: 8_000 }],
  [9, { kind: 'audio', codec: 'g722', clockRateHz: 8_000 }],
  [13, { kind: 'noise' }],
];

function kindOf({ encodingName, clockRateHz }: PayloadMapping): PayloadKind | null {
  if (encodingName === 'telephone-event') return { kind: 'events', clockRateHz };
  if (encodingName === 'cn') return { kind: 'noise' };
  const codec = Object.values(audioCodecs).find((each) => each.name === encodingName);
  return codec?.clockRateHz === clockRateHz ? { kind: 'audio', codec: codec.name, clockRateHz } : null;
}

/** What may come, by payload type, whichever of it a far end sends: it may change from packet to packet. */
export type PayloadTable = ReadonlyMap<number, PayloadKind>;

/**
 * @param offered the codecs of our own offer; none where we have answered. By rights a far end sends what it wants by
 *   the numbers of our description; one that uses its own is understood, as long as they do not mean something else to
 *   us.
 */
export function payloadTable(agreement: Agreement, offered: readonly CodecName[]): PayloadTable {
  const table = new Map(staticKinds);
  for (const mapping of agreement.mappings) {
    const kind = kindOf(mapping);
    if (kind !== null) table.set(mapping.payloadType, kind);
  }
  for (const name of offered) {
    const { payloadType, clockRateHz } = audioCodecs[name];
    table.set(payloadType, { kind: 'audio', codec: name, clockRateHz });
    const events = telephoneEventPayloadTypes.get(clockRateHz);
    if (events !== undefined) table.set(events, { kind: 'events', clockRateHz });
  }
  return table;
}
