import type { ConversationState } from '../state/conversation-state.ts';
import { ofLastState } from '../state/of-last-state.ts';
import { hasPendingCalls } from '../state/tools/tool-ledger.ts';
import type { Floor, FloorHolder } from '../turn-policy/floor.ts';

/** For each holder, a function that returns true if it has the floor in a state. */
const holds: Readonly<Record<FloorHolder, (state: ConversationState) => boolean>> = {
  notOpen: ({ phase }) => phase.kind !== 'open',
  answering: ({ opening }) => opening.answering !== null,
  hold: ({ caller }) => caller.isOnHold,
  agentMute: ({ playout }) => playout.isMuted,
  colleague: ({ playout }) => playout.isTakenOver,
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
  colleague: [],
  callerMute: ['canReply', 'canPrepareReply', 'canSayFiller', 'canMuteCaller', 'isQuiet'],
  caller: ['canPrepareReply', 'canAskAgain', 'canInterrupt', 'canMuteCaller'],
  keys: ['canSayFiller', 'canInterrupt', 'canMuteCaller'],
  agent: ['canReply', 'canSayFiller', 'canInterrupt', 'canMuteCaller'],
  cutOff: ['canSayFiller', 'canInterrupt', 'canMuteCaller'],
  dueReply: ['canReply', 'canSayFiller', 'canInterrupt', 'canMuteCaller'],
  transfer: ['canMuteCaller'],
  tool: ['canSayFiller', 'canInterrupt', 'canMuteCaller'],
};

const holdersInOrder = Object.keys(holds) as FloorHolder[];
const predicates = Object.values(holds);

/** Floors by their set of holders: bit n is the holder n. All calls share them, so they are frozen. */
const floors = new Map<number, Floor>();

/** Returns the floor of a state. */
export const floorOf: (state: ConversationState) => Floor = ofLastState((state) => floorHeldBy(holdersOf(state)));

function holdersOf(state: ConversationState): number {
  let set = 0;
  let bit = 1;
  for (const hasFloor of predicates) {
    if (hasFloor(state)) set |= bit;
    bit <<= 1;
  }
  return set;
}

function floorHeldBy(set: number): Floor {
  const known = floors.get(set);
  if (known !== undefined) return known;
  const holders = holdersInOrder.filter((_, n) => (set & (1 << n)) !== 0);
  const floor = Object.freeze(floorWith(Object.freeze(holders)));
  floors.set(set, floor);
  return floor;
}

function floorWith(holders: readonly FloorHolder[]): Floor {
  const isFree = (use: FloorUse): boolean => holders.every((holder) => leavesFree[holder].includes(use));
  return {
    holders,
    canReply: isFree('canReply'),
    canPrepareReply: isFree('canPrepareReply'),
    canAskAgain: isFree('canAskAgain'),
    canSayFiller: isFree('canSayFiller'),
    canInterrupt: isFree('canInterrupt'),
    canMuteCaller: isFree('canMuteCaller'),
    isQuiet: isFree('isQuiet'),
  };
}
