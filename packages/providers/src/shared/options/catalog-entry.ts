import type { ByokProvider } from '@va/core';

/** Models by id; one of them is the default. */
export function models(ids: Readonly<Record<string, string>>, defaultId: string): ByokProvider['models'] {
  return Object.entries(ids).map(([id, name]) => ({ id, name, default: id === defaultId }));
}

/** Voices by id. */
export function voices(ids: Readonly<Record<string, string>>): ByokProvider['voices'] {
  return Object.entries(ids).map(([id, name]) => ({ id, name }));
}
