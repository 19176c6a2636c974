import type { ByokProvider } from './byok.ts';

/**
 * Combines catalog entries to one per vendor, in their order. Of several entries with the same id and category the last
 * one counts.
 */
export function byokCatalog(entries: readonly ByokProvider[]): readonly ByokProvider[] {
  return [...byVendor(entries).values()].flatMap((each) => merged(each));
}

/** Merges the entries of a vendor, which share a key. The first one determines category and default model. */
function merged(entries: readonly ByokProvider[]): ByokProvider[] {
  const [first, ...others] = entries;
  if (first === undefined) return [];
  const models = others.flatMap((entry) => entry.models.map((model) => ({ ...model, default: false })));
  return [
    {
      ...first,
      models: [...first.models, ...models],
      voices: [...first.voices, ...others.flatMap(({ voices }) => voices)],
    },
  ];
}

/** Groups entries by vendor. A later entry replaces an earlier one of the same category. */
function byVendor(entries: readonly ByokProvider[]): Map<string, readonly ByokProvider[]> {
  const vendors = new Map<string, readonly ByokProvider[]>();
  for (const entry of entries) {
    const uses = new Map((vendors.get(entry.id) ?? []).map((use) => [use.category, use]));
    vendors.set(entry.id, [...uses.set(entry.category, entry).values()]);
  }
  return vendors;
}
