import type { JSX } from 'preact';
import { texts } from '../../../texts/en.ts';
import type { LiveStateEvent, SideLevels } from './floor.ts';
import { Level } from './level.tsx';

type AgentState = keyof typeof texts.live.agentStates;
type CallerState = keyof typeof texts.live.callerStates;

const silentDb = -60;

/** The activity of agent and caller, each as an icon with text. */
export function Sides({
  state,
  levels,
}: {
  readonly state: LiveStateEvent | null;
  readonly levels: SideLevels | null;
}): JSX.Element {
  const agent = agentStateOf(state);
  const caller: CallerState = state === null ? 'none' : state.caller_speaks ? 'speaking' : 'quiet';
  const { sides, agentStates, callerStates } = texts.live;
  return (
    <span class="sides">
      <Side name={sides.agent} shape={agent} words={agentStates[agent]} db={levels?.agent_db ?? silentDb} />
      <Side name={sides.caller} shape={caller} words={callerStates[caller]} db={levels?.caller_db ?? silentDb} />
    </span>
  );
}

function Side({
  name,
  shape,
  words,
  db,
}: {
  readonly name: string;
  readonly shape: AgentState | CallerState;
  readonly words: string;
  readonly db: number;
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
      <Level db={db} />
    </span>
  );
}

/**
 * Returns the shown state of the agent. A muted or taken-over agent is silent, whatever the state of its conversation.
 */
function agentStateOf(state: LiveStateEvent | null): AgentState {
  if (state === null) return 'none';
  if (state.is_taken_over) return 'taken-over';
  return state.is_muted ? 'muted' : state.state;
}
