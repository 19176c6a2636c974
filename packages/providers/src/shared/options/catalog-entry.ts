import type { ByokProvider } from '@va/core';

/** Converts model names by id to the models of a catalog entry, one of which is the default. */
export function models(ids: Readonly<Record<string, string>>, defaultId: string): ByokProvider['models'] {
  return Object.entries(ids).map(([id, name]) => ({ id, name, default: id === defaultId }));
}

/** Converts voice names by id to the voices of a catalog entry. */
export function voices(ids: Readonly<Record<string, string>>): ByokProvider['voices'] {
  return Object.entries(ids).map(([id, name]) => ({ id, name }));
}
