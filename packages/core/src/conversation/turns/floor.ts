import type { ConversationState } from '../state/conversation-state.ts';
import { hasPendingCalls } from '../state/tool-ledger.ts';
import type { Floor, FloorHolder } from '../turn-policy/floor.ts';

/** Whether each holder has the floor in a state. */
const holds: Readonly<Record<FloorHolder, (state: ConversationState) => boolean>> = {
  notOpen: ({ phase }) => phase.kind !== 'open',
  answering: ({ opening }) => opening.answering !== null,
  hold: ({ caller }) => caller.isOnHold,
  agentMute: ({ playout }) => playout.isMuted,
  callerMute: ({ caller }) => caller.mute !== null,
  caller: ({ userTurn }) => userTurn.kind !== 'idle',
  keys: ({ caller }) => caller.keys !== null,
  agent: ({ agentTurn }) => agentTurn.kind !== 'silent',
  cutOff: ({ playout }) => playout.cutOff.length > 0,
  dueReply: ({ reply }) => reply.due !== null,
  transfer: ({ transfer }) => transfer.active !== null,
  tool: ({ tools }) => hasPendingCalls(tools),
};

type FloorUse = Exclude<keyof Floor, 'holders'>;

/** The uses that each holder leaves free. A new holder does not compile before it has an entry here. */
const leavesFree: Readonly<Record<FloorHolder, readonly FloorUse[]>> = {
  notOpen: [],
  answering: ['canSayFiller', 'canInterrupt'],
  hold: ['canReply', 'canPrepareReply', 'canSayFiller', 'canInterrupt', 'canMuteCaller'],
  agentMute: ['canInterrupt'],
  callerMute: ['canReply', 'canPrepareReply', 'canSayFiller', 'canMuteCaller', 'isQuiet'],
  caller: ['canPrepareReply', 'canAskAgain', 'canInterrupt', 'canMuteCaller'],
  keys: ['canSayFiller', 'canInterrupt', 'canMuteCaller'],
  agent: ['canReply', 'canSayFiller', 'canInterrupt', 'canMuteCaller'],
  cutOff: ['canSayFiller', 'canInterrupt', 'canMuteCaller'],
  dueReply: ['canReply', 'canSayFiller', 'canInterrupt', 'canMuteCaller'],
  transfer: ['canMuteCaller'],
  tool: ['canSayFiller', 'canInterrupt', 'canMuteCaller'],
};

const allHolders = Object.keys(holds) as FloorHolder[];
const floors = new WeakMap<ConversationState, Floor>();

/** Returns the floor of a state. */
export function floorOf(state: ConversationState): Floor {
  const known = floors.get(state);
  if (known !== undefined) return known;
  const holders = allHolders.filter((holder) => holds[holder](state));
  const isFree = (use: FloorUse): boolean => holders.every((holder) => leavesFree[holder].includes(use));
  const floor: Floor = {
    holders,
    canReply: isFree('canReply'),
    canPrepareReply: isFree('canPrepareReply'),
    canAskAgain: isFree('canAskAgain'),
    canSayFiller: isFree('canSayFiller'),
    canInterrupt: isFree('canInterrupt'),
    canMuteCaller: isFree('canMuteCaller'),
    isQuiet: isFree('isQuiet'),
  };
  floors.set(state, floor);
  return floor;
}
