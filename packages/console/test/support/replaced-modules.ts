/**
 * Applies what `vi.doMock` and `vi.doUnmock` asked for, which vitest does at the next import. Without it, two imports
 * of a component at the same time would both do so, and one of them could get the module of the step before.
 */
export async function applyReplacements(): Promise<void> {
  await import('./records.ts');
}
