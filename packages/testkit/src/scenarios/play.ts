import { ProviderError } from '@va/core';
import { dialedNumber } from '../call-under-test.ts';
import { CustomerServer } from '../scripted/customer-server.ts';
import type { ScriptedSttStream } from '../scripted/scripted-stt.ts';
import { TimedIncomingCall } from '../scripted/timed-leg.ts';
import { TransferringIncomingCall } from '../scripted/transferring-leg.ts';
import { TimeSince } from '../time-since.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { ScenarioCaller, type TimedAct } from './caller.ts';
import { hostTools } from './host-tools.ts';
import { InvalidScenario } from './invalid-scenario.ts';
import type { ModelRequest, Scenario, Timeline } from './scenario.ts';
import { inboundCall, type OpenScenarioCall, type ScenarioParts, type ScenarioRecord } from './scenario-call.ts';
import { ScenarioEvents } from './scenario-events.ts';
import { providerId, type ScenarioProviders, scenarioProviders } from './scripted-providers.ts';
import { timelineOf } from './timeline.ts';
import { toolAnswers } from './tool-answers.ts';
import { wholeAgent } from './whole-agent.ts';

const frameMs = 20;

/** Options of `playScenario`. */
export interface PlayOptions {
  /** Runs the scenario's call. Default: a complete service, which the caller calls. */
  readonly open?: OpenScenarioCall;
}

/**
 * Plays a scenario on the real pipeline in virtual time, and returns the result.
 * @throws InvalidScenario when it cannot be played as written
 * @throws RequestError when the service rejects the agent, or a command
 * @example expect(compareTimeline(scenario, await playScenario(scenario))).toBeNull();
 */
export async function playScenario(scenario: Scenario, { open = inboundCall }: PlayOptions = {}): Promise<Timeline> {
  const clock = new VirtualClock();
  const time = new TimeSince(clock);
  const { transfers } = scenario;
  const leg =
    transfers === undefined
      ? new TimedIncomingCall({ to: dialedNumber, clock: time })
      : new TransferringIncomingCall({ to: dialedNumber, clock: time, script: transfers });
  const caller = new ScenarioCaller(scenario);
  const events = new ScenarioEvents(time);
  const requests: ModelRequest[] = [];
  const providers = scenarioProviders(
    scenario,
    (untilMs) => caller.words.settle(time.at(untilMs)),
    (request) => {
      // Later model requests, such as for a summary, are not part of the conversation.
      if (leg.end === null) requests.push({ atMs: time.nowMs(), ...request });
    },
  );
  let over: { atMs: number; record: ScenarioRecord } | null = null;
  const call = await open({
    clock,
    leg,
    agent: wholeAgent(scenario),
    providers: providers.all,
    server: new CustomerServer({ clock, runTool: toolAnswers(scenario, clock) }),
    tools: hostTools(scenario, clock, (name) => events.aborted(name)),
    pricing: pricingOf(scenario),
    onNotice: (notice) => events.note(notice),
    onEnd: (record) => {
      over ??= { atMs: time.nowMs(), record };
    },
  });
  const ended = (): { atMs: number; record: ScenarioRecord } | null => over;
  const acts = [
    ...caller.timed(leg, (text) => emitWords(providers, { type: 'partial', text })),
    ...recognizerActs(scenario, providers),
    ...(scenario.control ?? []).map(({ atMs, command }) => ({ atMs, run: () => call.control(command) })),
  ].sort((a, b) => a.atMs - b.atMs);
  time.begin();
  await passTime(scenario, { clock, time, leg, caller, acts, isOver: () => over !== null });
  if (ended() === null) leg.leave();
  await clock.advance(frameMs);
  const end = ended();
  await call.close();
  if (end === null) throw new InvalidScenario(scenario.name, 'the call did not end when the caller hung up.');
  return timelineOf(scenario, { end, leg, events, requests, providers });
}

function pricingOf({ prices, perMinute }: Scenario): NonNullable<ScenarioParts['pricing']> {
  if (prices === undefined) return {};
  const currency = 'EUR';
  return { currency, prices, ...(perMinute === undefined ? {} : { pricing: { currency, perMinute } }) };
}

async function passTime(
  { hangsUpAtMs }: Scenario,
  stage: {
    readonly clock: VirtualClock;
    readonly time: TimeSince;
    readonly leg: TimedIncomingCall;
    readonly caller: ScenarioCaller;
    readonly acts: readonly TimedAct[];
    readonly isOver: () => boolean;
  },
): Promise<void> {
  const { clock, time, leg, caller, acts, isOver } = stage;
  const reach = async (atMs: number): Promise<void> => await clock.advance(atMs - time.nowMs());
  let next = 0;
  const actUntil = async (untilMs: number, including: boolean): Promise<void> => {
    for (let act = acts[next]; act !== undefined; act = acts[next]) {
      if (act.atMs > untilMs || (act.atMs === untilMs && !including) || isOver()) return;
      next += 1;
      await reach(act.atMs);
      if (isOver()) return;
      await act.run();
      await clock.advance(0);
    }
  };
  await actUntil(0, true);
  for (let atMs = frameMs; atMs <= hangsUpAtMs && !isOver(); atMs += frameMs) {
    await actUntil(atMs, false);
    await reach(atMs);
    if (isOver()) return;
    const frame = caller.frameAt(atMs);
    if (frame !== null) leg.hear(frame);
    await actUntil(atMs, true);
  }
  await reach(Math.max(hangsUpAtMs, time.nowMs()));
}

function recognizerActs({ stt = {} }: Scenario, providers: ScenarioProviders): TimedAct[] {
  const { fallbacks = [], ...first } = stt;
  return [first, ...fallbacks].flatMap(({ events = [], fails }, index) => {
    const stream = (): ScriptedSttStream | undefined => providers.recognizers[index]?.streams[0];
    const timed = events.map(({ atMs, event }) => ({ atMs, run: () => stream()?.emit(event) }));
    if (fails === undefined) return timed;
    const lost = new ProviderError(providerId(index), fails.fault, 'lost by the script');
    return [...timed, { atMs: fails.atMs, run: () => stream()?.fail(lost) }];
  });
}

function emitWords(providers: ScenarioProviders, event: { type: 'partial'; text: string }): void {
  for (const { streams } of providers.recognizers) for (const stream of streams) if (!stream.closed) stream.emit(event);
}
