import { audioCodecs, type CodecName, telephoneEventPayloadTypes } from '../codec/audio-codec.ts';
import type { Agreement, PayloadMapping } from './agreement.ts';

/** Meaning of a payload type. */
export type PayloadKind =
  | { readonly kind: 'audio'; readonly codec: CodecName; readonly clockRateHz: number }
  | { readonly kind: 'events'; readonly clockRateHz: number }
  | { readonly kind: 'noise' };

/** Static payload types, which are always understood. */
const staticKinds: readonly [number, PayloadKind][] = [
  [0, { kind: 'audio', codec: 'pcmu', clockRateHz: 8_000 }],
  [8, { kind: 'audio', codec: 'pcma', clockRateHz: 8_000 }],
  [9, { kind: 'audio', codec: 'g722', clockRateHz: 8_000 }],
  [13, { kind: 'noise' }],
];

function kindOf({ encodingName, clockRateHz }: PayloadMapping): PayloadKind | null {
  // A clock rate of 0, such as in "telephone-event/0", gives durations no unit.
  if (encodingName === 'telephone-event') return clockRateHz > 0 ? { kind: 'events', clockRateHz } : null;
  if (encodingName === 'cn') return { kind: 'noise' };
  const codec = Object.values(audioCodecs).find((each) => each.name === encodingName);
  return codec?.clockRateHz === clockRateHz ? { kind: 'audio', codec: codec.name, clockRateHz } : null;
}

/** Accepted payloads by payload type; a far end may change the type from packet to packet. */
export type PayloadTable = ReadonlyMap<number, PayloadKind>;

/**
 * @param offered codecs of our own offer; empty if we answered. A far end should use the numbers of our description;
 *   its own numbers are understood too, unless they mean something else to us.
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
