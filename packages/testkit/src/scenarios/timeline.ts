import type { TimedIncomingCall } from '../scripted/timed-leg.ts';
import type { ModelRequest, Scenario, Timeline, TimelineEntry } from './scenario.ts';
import type { ScenarioRecord } from './scenario-call.ts';
import type { ScenarioEvents } from './scenario-events.ts';
import { msPerLetterOf, type ScenarioProviders } from './scripted-providers.ts';

/**
 * Returns the result of a scenario, from the frames that the caller received, the events of the conversation, and the
 * call's record.
 */
export function timelineOf(
  { tts = {}, realtime }: Scenario,
  stage: {
    readonly end: { readonly atMs: number; readonly record: ScenarioRecord };
    readonly leg: TimedIncomingCall;
    readonly events: ScenarioEvents;
    readonly requests: readonly ModelRequest[];
    readonly providers: ScenarioProviders;
  },
): Timeline {
  const { end, leg, events, requests, providers } = stage;
  const { reason, error, messages, latency } = end.record;
  const heard = leg.heard(msPerLetterOf(realtime ?? tts)).map(
    ({ text, voice, fromMs, toMs }): TimelineEntry => ({
      agent: text,
      fromMs,
      toMs,
      ...(voice === 1 ? { voice: 'fallback' } : {}),
    }),
  );
  const keys = leg.keys.map(({ digits, atMs }): TimelineEntry => ({ keys: digits, atMs }));
  return {
    entries: [...heard, ...events.entries, ...keys],
    ended: { atMs: end.atMs, reason, ...(error === null ? {} : { error }) },
    transcript: messages.map(({ role, content }) => (role === 'user' ? { caller: content } : { agent: content })),
    requests,
    latency: latency?.turns ?? [],
    interruptionsMs: latency?.interruptions_ms ?? [],
    session: (providers.realtime?.sessions ?? []).flatMap(({ commands }) => commands),
  };
}
