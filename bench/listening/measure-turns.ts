import { frameMs, frameSamples } from '@va/media';
import { type Condition, underVoice } from './conditions.ts';
import { ListeningCall } from './listening-call.ts';
import type { Policy } from './policies.ts';
import { replyLimitMs, turnsPerCall } from './settings.ts';
import type { Delays } from './timed-recognizer.ts';
import type { Turn } from './turns.ts';

export interface TurnFigures {
  /** Times from the end of the caller's voice to the first frame of the reply, of turns that were not cut off. */
  readonly responsesMs: readonly number[];
  readonly cutOff: readonly string[];
  readonly unanswered: readonly string[];
  readonly turns: number;
  readonly prepared: { readonly made: number; readonly used: number };
}

/** Plays turns to an agent that listens by a policy, and measures its replies. */
export async function measureTurns(
  policy: Policy,
  turns: readonly Turn[],
  { delays, condition }: { delays: Delays; condition: Condition },
): Promise<TurnFigures> {
  const responsesMs: number[] = [];
  const cutOff: string[] = [];
  const unanswered: string[] = [];
  const prepared = { made: 0, used: 0 };
  for (const played of callsOf(turns)) {
    const noise = await underVoice(
      condition,
      played.map(({ pcm }) => pcm),
    );
    let reply = played[0]?.agentSays ?? '';
    const language = played[0]?.language ?? 'en';
    const call = await ListeningCall.open({ policy, language, delays, noise, reply: () => reply, firstMessage: reply });
    for (const [i, turn] of played.entries()) {
      // The agent's next words lead to the caller's next turn.
      reply = played[i + 1]?.agentSays ?? 'Goodbye.';
      await call.wait(20_000, () => call.agentLevel > 0);
      await call.wait(20_000, () => call.agentLevel === 0);
      await call.wait(400);
      const responseMs = await responseTo(call, turn);
      const name = `${turn.kind} ${turn.name}`;
      if (responseMs === null) unanswered.push(name);
      else if (responseMs < 0) cutOff.push(name);
      else responsesMs.push(responseMs);
    }
    const { made, used } = await call.close();
    prepared.made += made;
    prepared.used += used;
  }
  return { responsesMs, cutOff, unanswered, turns: turns.length, prepared };
}

/** Groups turns into calls. The turns of a call have one language, as they belong to one caller. */
function callsOf(turns: readonly Turn[]): Turn[][] {
  const languages = [...new Set(turns.map(({ language }) => language))];
  return languages.flatMap((language) => {
    const spoken = turns.filter((turn) => turn.language === language);
    return Array.from({ length: Math.ceil(spoken.length / turnsPerCall) }, (_, i) =>
      spoken.slice(i * turnsPerCall, (i + 1) * turnsPerCall),
    );
  });
}

/** Returns the time from the end of the turn to the reply: negative if the turn was cut off, null without a reply. */
async function responseTo(call: ListeningCall, turn: Turn): Promise<number | null> {
  const { pcm, endMs } = turn;
  const fromMs = call.nowMs;
  let repliedAtMs: number | null = null;
  const note = (): void => {
    if (call.agentLevel > 0) repliedAtMs ??= call.sentAtMs;
  };
  // The last frames of a recording are silent: the reply may come within them.
  await call.say(turn, note);
  await call.wait(replyLimitMs, () => {
    note();
    return repliedAtMs !== null;
  });
  if (repliedAtMs === null) return null;
  return repliedAtMs - fromMs - Math.min(endMs, (pcm.length / frameSamples) * frameMs);
}
