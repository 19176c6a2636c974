import { onTestFinished, vi } from 'vitest';
import { applyReplacements } from './replaced-modules.ts';

const source = '../../src/app/ui/editor/codemirror.ts';

/** Fails the download of the highlighting editor until the end of the test, so that the text area stays. */
export async function keepPlainEditor(): Promise<void> {
  vi.doMock(source, () => {
    throw new Error('The editor could not be loaded.');
  });
  onTestFinished(async () => {
    vi.doUnmock(source);
    await applyReplacements();
  });
  await applyReplacements();
}
