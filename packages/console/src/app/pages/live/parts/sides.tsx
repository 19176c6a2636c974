import type { JSX } from 'preact';
import { texts } from '../../../texts/en.ts';
import type { LiveState } from './floor.ts';

type AgentState = keyof typeof texts.live.agentStates;
type CallerState = keyof typeof texts.live.callerStates;

/** What the agent and the caller do, each as a shape with its words. */
export function Sides({ state }: { readonly state: LiveState | null }): JSX.Element {
  const agent = agentStateOf(state);
  const caller: CallerState = state === null ? 'none' : state.caller_speaks ? 'speaking' : 'quiet';
  const { sides, agentStates, callerStates } = texts.live;
  return (
    <span class="sides">
      <Side name={sides.agent} shape={agent} words={agentStates[agent]} />
      <Side name={sides.caller} shape={caller} words={callerStates[caller]} />
    </span>
  );
}

function Side({
  name,
  shape,
  words,
}: {
  readonly name: string;
  readonly shape: AgentState | CallerState;
  readonly words: string;
}): JSX.Element {
  return (
    <span class={`side ${shape}`}>
      <span class="shape" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span>
        <span class="muted">{name}</span> {words}
      </span>
    </span>
  );
}

/** A muted agent says nothing, whatever its conversation does. */
function agentStateOf(state: LiveState | null): AgentState {
  if (state === null) return 'none';
  return state.is_muted ? 'muted' : state.state;
}
