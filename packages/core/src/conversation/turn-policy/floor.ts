/** Reasons for which the floor is taken. */
export type FloorHolder =
  /** The call is not answered yet, closing or closed. */
  | 'notOpen'
  /** Answering-machine detection has no verdict yet. */
  | 'answering'
  /** The far end has put the call on hold. */
  | 'hold'
  /** The agent is muted over the API. */
  | 'agentMute'
  /** A person speaks with the caller in the agent's place. */
  | 'colleague'
  /** The caller is muted by the agent's settings. */
  | 'callerMute'
  /** The caller speaks, or their turn may go on. */
  | 'caller'
  /** The caller enters digits. */
  | 'keys'
  /** The agent thinks or speaks. */
  | 'agent'
  /** The playout has not reported yet how much of an interrupted utterance was heard. */
  | 'cutOff'
  /** A reply of the agent is due. */
  | 'dueReply'
  | 'transfer'
  /** A tool runs. */
  | 'tool';

/** Permissions of agent and caller in a state. Rules ask the floor instead of listing its holders. */
export interface Floor {
  readonly holders: readonly FloorHolder[];
  /** The agent may give a reply that is due. */
  readonly canReply: boolean;
  /** The model may prepare a reply to an unfinished user turn. */
  readonly canPrepareReply: boolean;
  /** The agent may ask the caller to repeat what was not understood. */
  readonly canAskAgain: boolean;
  /** The agent may fill a pause while its reply is being made. */
  readonly canSayFiller: boolean;
  /** The caller may take the floor from the agent. */
  readonly canInterrupt: boolean;
  /** The agent's settings may mute the caller. */
  readonly canMuteCaller: boolean;
  /** Neither side is active: the time counts as silence. */
  readonly isQuiet: boolean;
}
