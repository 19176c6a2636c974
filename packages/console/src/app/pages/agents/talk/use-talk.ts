import { createWebCall, type WebCall, type WebCallLatency, type WebCallState, type WebCallTranscript } from '@va/web';
import { useEffect, useRef, useState } from 'preact/hooks';
import workletUrl from '../../../audio/worklet.ts?worker&url';
import type { ConsoleSession } from '../../../session/session.ts';
import { talkTexts } from '../../../texts/en/agents.ts';

/** A line of the conversation: a transcript entry or a tool call. */
export type TalkLine = WebCallTranscript | { readonly role: 'tool'; readonly text: string };

export interface Talk {
  readonly state: WebCallState;
  readonly callId: string | null;
  readonly lines: readonly TalkLine[];
  readonly latency: WebCallLatency | null;
  readonly isMuted: boolean;
  readonly isSuspended: boolean;
  readonly endReason: string | null;
  readonly error: unknown;
  readonly start: () => Promise<void>;
  readonly hangUp: () => void;
  readonly mute: (isMuted: boolean) => void;
  readonly sendText: (text: string) => void;
}

type TalkState = Pick<
  Talk,
  'state' | 'callId' | 'lines' | 'latency' | 'isMuted' | 'isSuspended' | 'endReason' | 'error'
>;

const idle: TalkState = {
  state: 'idle',
  callId: null,
  lines: [],
  latency: null,
  isMuted: false,
  isSuspended: false,
  endReason: null,
  error: null,
};

/** A web call with an agent. Ends when the component unmounts. */
export function useTalk(session: ConsoleSession, agentId: string): Talk {
  const [shown, setShown] = useState(idle);
  const call = useRef<WebCall | null>(null);
  const isUnmounted = useRef(false);
  const show = (changes: Partial<TalkState>): void => setShown((before) => ({ ...before, ...changes }));
  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
      call.current?.hangUp();
    };
  }, []);
  const start = async (): Promise<void> => {
    setShown({ ...idle, state: 'connecting' });
    try {
      const { url, token, call_id: callId } = await session.client.calls.createWebCall({ agent_id: agentId });
      // A call that starts after the component is gone would keep the microphone open.
      if (isUnmounted.current) return;
      show({ callId });
      const next = createWebCall({ url, token, workletUrl });
      call.current = next;
      listen(next, setShown);
      await next.start();
    } catch (error) {
      show({ state: 'ended', error });
    }
  };
  return {
    ...shown,
    start,
    hangUp: () => call.current?.hangUp(),
    mute(isMuted) {
      call.current?.mute(isMuted);
      show({ isMuted });
    },
    sendText: (text) => call.current?.sendText(text),
  };
}

function listen(call: WebCall, setShown: (update: (before: TalkState) => TalkState) => void): void {
  const show = (changes: Partial<TalkState>): void => setShown((before) => ({ ...before, ...changes }));
  call.on('state', ({ state }) => show({ state, isSuspended: false }));
  call.on('suspended', () => show({ isSuspended: true }));
  call.on('latency', (latency) => show({ latency }));
  call.on('ended', ({ reason, error }) =>
    show({ state: 'ended', endReason: reason, ...(error !== null && { error }) }),
  );
  call.on('device-error', (error) => show({ error }));
  call.on('transcript', (words) => setShown((before) => ({ ...before, lines: withLine(before.lines, words) })));
  call.on('tool', ({ name, status }) => {
    const line: TalkLine = { role: 'tool', text: talkTexts.tool(name, status) };
    setShown((before) => ({ ...before, lines: [...before.lines, line] }));
  });
}

/** Appends a transcript entry, replacing the interim one of the same side. */
function withLine(lines: readonly TalkLine[], words: WebCallTranscript): readonly TalkLine[] {
  const at = lines.findLastIndex((line) => line.role === words.role && 'final' in line && !line.final);
  return at < 0 ? [...lines, words] : lines.with(at, words);
}
