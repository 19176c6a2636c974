import { createWebCall, type WebCall, type WebCallEvents, type WebCallOptions } from '@va/web';
import { act } from 'preact/test-utils';
import { onTestFinished, vi } from 'vitest';

type Listener = (event: never) => void;

/** A call of the page whose events the test sends. It opens no devices and no connection. */
export class ScriptedWebCall {
  readonly sent: string[] = [];
  readonly #listeners = new Map<keyof WebCallEvents, Listener>();

  on(name: keyof WebCallEvents, listener: Listener): void {
    this.#listeners.set(name, listener);
  }

  /** Sends an event of the call to the page. */
  emit<Name extends keyof WebCallEvents>(name: Name, event: WebCallEvents[Name]): void {
    const listener = this.#listeners.get(name) as ((event: WebCallEvents[Name]) => void) | undefined;
    void act(() => listener?.(event));
  }
}

/**
 * Replaces the devices and the connection of web calls until the end of the test.
 * @param start opens the call; by default at once
 * @returns the calls that the page starts
 */
export function scriptWebCalls(start: () => Promise<void> = async () => {}): readonly ScriptedWebCall[] {
  const calls: ScriptedWebCall[] = [];
  const scripted = new WeakMap<WebCall, ScriptedWebCall>();
  const prototype: WebCall = Object.getPrototypeOf(createWebCall({ url: '', token: '' } satisfies WebCallOptions));
  const scriptOf = (call: WebCall): ScriptedWebCall => {
    const known = scripted.get(call);
    if (known !== undefined) return known;
    const script = new ScriptedWebCall();
    scripted.set(call, script);
    calls.push(script);
    return script;
  };
  const spies = [
    vi.spyOn(prototype, 'on').mockImplementation(function (this: WebCall, name, listener) {
      scriptOf(this).on(name, listener);
      return () => {};
    }),
    vi.spyOn(prototype, 'start').mockImplementation(start),
    vi.spyOn(prototype, 'hangUp').mockImplementation(function (this: WebCall) {
      scriptOf(this).sent.push('hang up');
    }),
    vi.spyOn(prototype, 'mute').mockImplementation(function (this: WebCall, isMuted) {
      scriptOf(this).sent.push(isMuted ? 'mute' : 'unmute');
    }),
    vi.spyOn(prototype, 'sendText').mockImplementation(function (this: WebCall, words) {
      scriptOf(this).sent.push(words);
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return calls;
}
