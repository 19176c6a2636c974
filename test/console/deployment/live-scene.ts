import { defineTool, type HostTool } from '@va/core';
import type { Clock, MediaLeg, Provider } from '@va/core/adapter';
import {
  callerFrame,
  calling,
  ScriptedIncomingCall,
  type ScriptedStt,
  type ScriptedSttStream,
  ScriptedTelephony,
  saying,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
} from '@va/testkit';
import { z } from 'zod';
import type { ConsoleService } from '../support/console-service.ts';

const frameMs = 20;

/** A caller whose phone sends a frame each 20 ms: of speech while `speaks`, else of silence. */
class Caller extends ScriptedIncomingCall implements MediaLeg {
  speaks = false;
}

/** Parts of a service whose calls run in real time. */
export interface LiveParts {
  readonly telephony: ScriptedTelephony;
  readonly stt: ScriptedStt;
  readonly providers: readonly Provider[];
  readonly tools: readonly HostTool[];
}

const offer =
  'Thank you, Mr Jansen. I see your checkup on Tuesday the seventeenth at half past nine. I could offer you ' +
  'Wednesday at eleven, or Thursday at a quarter past two.';

/** Providers by the names of vendors, whose replies are written. */
export function liveParts(): LiveParts {
  const stt = scriptedStt({ id: 'deepgram' });
  const llm = scriptedLlm(
    ({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'tool') return saying(offer);
      const text = String(last?.content);
      if (text.includes('checkup')) return calling('find_appointment', { born: '1988-05-04' });
      if (text.includes('mornings')) return saying('Mornings, then. Would Friday the twentieth at ten suit you?');
      return saying('We are open from eight to half past five on weekdays, and on Saturdays until noon.');
    },
    { id: 'openai' },
  );
  const find = defineTool({
    ...{ name: 'find_appointment', description: 'Finds the next appointment of a patient.' },
    parameters: z.object({ born: z.string() }),
    execute: async () => ({ patient: 'M. Jansen', at: '2026-03-17T09:30', kind: 'checkup' }),
  });
  const tts = scriptedTts({ id: 'elevenlabs', msPerLetter: 55 });
  return { telephony: new ScriptedTelephony(), stt, providers: [stt, llm, tts], tools: [find] };
}

export interface LiveScene {
  /** Id of the call that is shown in full. */
  readonly callId: string;
  /** Resolves once the caller of that call has interrupted the agent and speaks again. */
  play(): Promise<void>;
  close(): void;
}

/** Makes three calls, whose callers are silent until `play`. */
export async function startLiveScene(service: ConsoleService, parts: LiveParts, clock: Clock): Promise<LiveScene> {
  const callers: Caller[] = [];
  const sending = setInterval(() => {
    for (const caller of callers) if (caller.answered && caller.end === null) caller.hear(callerFrame(caller.speaks));
  }, frameMs);
  const ring = async (to: string, from: string): Promise<{ caller: Caller; stt: ScriptedSttStream; id: string }> => {
    const known = parts.stt.streams.length;
    const caller = new Caller({ to, from, id: `live-${callers.length}` });
    callers.push(caller);
    parts.telephony.ring(caller);
    const stt = await until(clock, () => parts.stt.streams[known]);
    const query = { status: 'in-progress', phone: from } as const;
    const call = await until(
      clock,
      async () => (await service.va.operations.calls.list(service.orgId, query)).calls[0],
    );
    return { caller, stt, id: call.id };
  };
  const first = await ring('+31201234501', '+31612003487');
  const second = await ring('+31201234501', '+31655019923');
  await ring('+31201234502', '+31204417780');
  const say = async ({ caller, stt }: typeof first, words: string, isOver = true): Promise<void> => {
    caller.speaks = true;
    await wait(clock, 700);
    stt.emit({ type: 'partial', text: words });
    if (!isOver) return;
    await wait(clock, 500);
    stt.emit({ type: 'final', text: words });
    caller.speaks = false;
  };
  return {
    callId: first.id,
    async play() {
      await wait(clock, 4_500);
      await say(first, 'Hi, I have a checkup next Tuesday and I need to move it to another day.');
      await wait(clock, 7_000);
      await say(first, 'Sorry, only mornings work for me.');
      await wait(clock, 6_000);
      await say(second, 'When are you open?');
      await say(first, 'Friday at ten is perfect. Could you also', false);
      await wait(clock, 400);
    },
    close() {
      clearInterval(sending);
    },
  };
}

function wait(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimer(ms, resolve));
}

/** Tries until there is a result. */
async function until<T>(clock: Clock, get: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let round = 0; round < 500; round += 1) {
    const found = await get();
    if (found !== undefined) return found;
    await wait(clock, 20);
  }
  throw new Error('the call was not answered');
}
