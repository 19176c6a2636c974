import { onTestFinished, vi } from 'vitest';

/**
 * Gives canvases a context that draws nothing, until the end of the test. The DOM of the tests has no canvas.
 * @returns the names of the methods that were called
 */
export function ignoreDrawing(): readonly string[] {
  const calls: string[] = [];
  const context = new Proxy<Record<string | symbol, unknown>>(
    {},
    {
      get(target, name) {
        if (name in target) return target[name];
        if (name === 'measureText') return () => ({ width: 10 });
        return () => void calls.push(String(name));
      },
    },
  );
  // A chart without a width draws nothing.
  const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(300);
  const getContext = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.stubGlobal(
    'Path2D',
    class {
      moveTo(): void {}
      lineTo(): void {}
      rect(): void {}
      arc(): void {}
      roundRect(): void {}
    },
  );
  onTestFinished(() => {
    width.mockRestore();
    getContext.mockRestore();
    vi.unstubAllGlobals();
  });
  return calls;
}
