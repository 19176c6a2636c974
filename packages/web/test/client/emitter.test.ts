import { afterEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../src/client/emitter.ts';

afterEach(() => void vi.restoreAllMocks());

describe('Emitter', () => {
  it('calls the listeners of an event in their order, until they are removed', () => {
    const emitter = new Emitter<{ a: number; b: number }>();
    const seen: string[] = [];
    const remove = emitter.on('a', (n) => seen.push(`first ${n}`));
    emitter.on('a', (n) => seen.push(`second ${n}`));
    emitter.emit('a', 1);
    remove();
    emitter.emit('a', 2);
    emitter.emit('b', 3);
    expect(seen).toEqual(['first 1', 'second 1', 'second 2']);
  });

  it('logs what a listener throws and calls the others', () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const emitter = new Emitter<{ a: number }>();
    const fault = new Error('fault of the page');
    const other = vi.fn();
    emitter.on('a', () => {
      throw fault;
    });
    emitter.on('a', other);
    emitter.emit('a', 1);
    expect(other).toHaveBeenCalledWith(1);
    expect(logged).toHaveBeenCalledWith(fault);
  });

  it('calls a listener that was added during an event from the next one on', () => {
    const emitter = new Emitter<{ a: number }>();
    const late = vi.fn();
    const remove = emitter.on('a', () => void emitter.on('a', late));
    emitter.emit('a', 1);
    expect(late).not.toHaveBeenCalled();
    remove();
    emitter.emit('a', 2);
    expect(late).toHaveBeenCalledOnce();
  });
});
