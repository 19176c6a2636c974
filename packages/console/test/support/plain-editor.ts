import { onTestFinished, vi } from 'vitest';

const source = '../../src/app/ui/editor/codemirror.ts';

/** Fails the download of the highlighting editor until the end of the test, so that the text area stays. */
export function keepPlainEditor(): void {
  vi.doMock(source, () => {
    throw new Error('The editor could not be loaded.');
  });
  onTestFinished(() => vi.doUnmock(source));
}
