import type { Call } from '@va/core';
import type { CallUnderTest } from '../call-under-test.ts';
import { callerFrame } from '../scripted/scripted-leg.ts';
import type { TimedIncomingCall } from '../scripted/timed-leg.ts';
import type { SpokenWords } from '../spoken-words.ts';
import type { CallerView, ScriptedLine, SimulatedCaller } from './caller.ts';
import type { OutsideWork } from './outside-work.ts';
import type { Protocol } from './protocol.ts';
import type { SimulationTiming } from './simulation-timing.ts';
import type { WatchedModel } from './watched-model.ts';

const frameMs = 20;
/** The caller's pace of speech. */
const callerMsPerLetter = 60;
const shortestSpeechMs = 300;
const keyGapMs = 200;
const defaultPatienceMs = 8_000;
/** Time limit for the end of a turn: speech that is no turn of its own, such as "uh-huh", is not reported as one. */
const longestTurnEndMs = 5_000;

/** Parts of a simulated call that the phone connects. */
interface SimulatedPhoneOptions {
  readonly call: CallUnderTest;
  readonly leg: TimedIncomingCall;
  readonly model: WatchedModel;
  readonly protocol: Protocol;
  readonly words: SpokenWords;
  readonly work: OutsideWork;
  readonly timing: SimulationTiming;
  /** True if the agent speaks before the caller does. */
  readonly greets: boolean;
}

/** The caller's side of a simulated call: waits for the agent, speaks, sends DTMF, hangs up. */
export class SimulatedPhone {
  readonly #options: SimulatedPhoneOptions;
  /** Time of the caller's last action that the agent is to answer. */
  #actedAtMs = 0;
  #expectsTurn = false;
  #expectsAnswer: boolean;
  #turnsBefore = 0;
  #utterancesBefore = 0;
  #linesBefore = 0;

  constructor(options: SimulatedPhoneOptions) {
    this.#options = options;
    this.#expectsAnswer = options.greets;
  }

  /** Sets the start of the first wait, when the call has been answered. */
  begin(): void {
    this.#actedAtMs = this.#options.call.clock.nowMs();
  }

  /** Plays the caller to the end of the call. */
  async converse(caller: SimulatedCaller): Promise<Call> {
    const { call, leg, protocol } = this.#options;
    for (let turn = 0; !this.#isOver; turn += 1) {
      const overAgentMs = caller.overAgentMs(turn);
      if (overAgentMs === null) await this.#waitForAgent();
      else await this.#waitForSpeech(overAgentMs);
      const line = this.#isOver ? null : await caller.play(this.#view(turn));
      if (line === null) break;
      this.#linesBefore = protocol.lines.length;
      await this.#carryOut(line);
    }
    if (!this.#isOver) leg.leave();
    await this.#pass(frameMs);
    await call.clock.advance(frameMs);
    return call.ended ?? (await call.stored());
  }

  get #isOver(): boolean {
    const { call, leg } = this.#options;
    return call.ended !== null || leg.end !== null;
  }

  #view(turn: number): CallerView {
    const { lines } = this.#options.protocol;
    const agentSaid = lines
      .slice(this.#linesBefore)
      .flatMap(({ speaker, text }) => (speaker === 'agent' ? [text] : []))
      .join(' ');
    return { lines, agentSaid, turn };
  }

  async #carryOut(line: ScriptedLine): Promise<void> {
    if (typeof line === 'string') return await this.#say(line);
    if ('waitsMs' in line) return await this.#pass(line.waitsMs);
    if ('presses' in line) return await this.#press(line.presses);
    await this.#pass('afterMs' in line ? (line.afterMs ?? 0) : 0);
    await this.#say(line.says);
  }

  async #say(text: string): Promise<void> {
    const { call, words, protocol } = this.#options;
    const fromMs = call.clock.nowMs();
    const lastsMs = Math.max(shortestSpeechMs, Math.ceil((text.length * callerMsPerLetter) / frameMs) * frameMs);
    this.#turnsBefore = protocol.turns;
    words.add({ text, fromMs, toMs: fromMs + lastsMs });
    await this.#pass(lastsMs, true);
    this.#acted();
  }

  async #press(keys: string): Promise<void> {
    this.#turnsBefore = this.#options.protocol.turns;
    for (const key of keys) {
      this.#options.leg.press(key);
      await this.#pass(keyGapMs);
    }
    this.#acted();
  }

  #acted(): void {
    const { call, protocol } = this.#options;
    this.#actedAtMs = call.clock.nowMs();
    this.#utterancesBefore = protocol.utterances;
    this.#expectsTurn = true;
    this.#expectsAnswer = true;
  }

  /** Waits until the agent has answered and is silent, or the caller's time limit has passed. */
  async #waitForAgent(): Promise<void> {
    const { call, timing } = this.#options;
    const { callerPatienceMs = defaultPatienceMs } = timing;
    // The words that follow a tool take some frames: the time limit begins again when the agent is no longer busy.
    let busyAtMs = 0;
    while (!this.#isOver && !this.#isAgentFinished()) {
      const nowMs = call.clock.nowMs();
      if (this.#isAgentBusy()) busyAtMs = nowMs;
      const waitedMs = nowMs - Math.max(this.#actedAtMs, this.#options.leg.lastHeardMs ?? 0, busyAtMs);
      if (waitedMs >= callerPatienceMs) break;
      await this.#pass(frameMs);
    }
    this.#expectsAnswer = false;
  }

  /** Waits until the agent begins its next words or the time limit of the caller has passed, and then for `ms`. */
  async #waitForSpeech(ms: number): Promise<void> {
    const { call, protocol, timing } = this.#options;
    const untilMs = call.clock.nowMs() + (timing.callerPatienceMs ?? defaultPatienceMs);
    const isWaiting = (): boolean => protocol.utterances === this.#utterancesBefore;
    while (!this.#isOver && isWaiting() && (this.#isAgentBusy() || call.clock.nowMs() < untilMs)) {
      await this.#pass(frameMs);
    }
    await this.#pass(ms);
  }

  #isAgentFinished(): boolean {
    const { call, leg, protocol, timing } = this.#options;
    const nowMs = call.clock.nowMs();
    if (this.#isAgentBusy()) return false;
    const isTurnOpen = this.#expectsTurn && protocol.turns === this.#turnsBefore;
    if (isTurnOpen && nowMs < this.#actedAtMs + longestTurnEndMs) return false;
    const hasAnswered = leg.lastHeardMs !== null && leg.lastHeardMs > this.#actedAtMs;
    if (this.#expectsAnswer && !hasAnswered) return false;
    const { callerWaitsMs = 500, ttsFirstByteMs = 0 } = timing;
    return nowMs - Math.max(this.#actedAtMs, leg.lastHeardMs ?? 0) >= callerWaitsMs + ttsFirstByteMs;
  }

  #isAgentBusy(): boolean {
    return this.#options.model.isThinking || this.#options.protocol.isToolRunning;
  }

  async #pass(ms: number, speaking = false): Promise<void> {
    const { call, leg, work } = this.#options;
    for (let passed = 0; passed < ms && !this.#isOver; passed += frameMs) {
      await work.pace(frameMs);
      // A frame arrives when its last sample was spoken.
      await call.clock.advance(frameMs);
      leg.hear(callerFrame(speaking));
    }
  }
}
