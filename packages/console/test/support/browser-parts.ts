import { vi } from 'vitest';

/** Replaces `ResizeObserver` until globals are restored. The returned function calls the last observer. */
export function scriptResizeObserver(): () => void {
  let report = (): void => {};
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        report = callback;
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
  return () => report();
}

/** Keeps the audio elements of the page until globals are restored. The returned function gives the last one. */
export function keepAudio(): () => HTMLAudioElement {
  let last: HTMLAudioElement | null = null;
  const Native = Audio;
  vi.stubGlobal(
    'Audio',
    class extends Native {
      constructor() {
        super();
        last = this;
      }
    },
  );
  return () => {
    if (last === null) throw new Error('The page has no audio element.');
    return last;
  };
}
