export const trunkHealthTexts = {
  states: { reachable: 'Reachable', unreachable: 'Unreachable', degraded: 'Partly reachable', unknown: 'Not checked' },
  since: 'since',
  checked: 'Checked',
  roundTrip: (time: string) => `round trip ${time}`,
  webhook: 'Last webhook',
  answer: 'Last answered call',
  failure: (reason: string) => `Last failure (${reason})`,
  noSigns: 'Checked once calls go out.',
  nodes: (down: number, all: number) => `Unreachable for ${down} of ${all} nodes`,
};
