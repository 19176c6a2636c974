/** A picture of a screen of `test/console/deployment/screens.ts`. */
export interface Shot {
  readonly screen: string;
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

const wide = (screen: string, height = 800): Shot => ({ screen, colorScheme: 'light', width: 1280, height });
const dark = (screen: string, height = 800): Shot => ({ ...wide(screen, height), colorScheme: 'dark' });
const narrow = (screen: string): Shot => ({ screen, colorScheme: 'light', width: 390, height: 844 });

/** The pictures of docs/console.md and README.md. */
export const shots: readonly Shot[] = [
  ...[wide('sign-in', 480), wide('live', 480), wide('live-call'), dark('live-call'), narrow('live-call')],
  ...[wide('calls'), narrow('calls'), wide('call', 1_000), dark('call', 1_000), narrow('call')],
  ...[wide('agents', 480), wide('agent-new'), wide('agent-model'), dark('agent-model'), wide('agent-speech')],
  ...[wide('first-agent'), wide('campaigns', 480), wide('campaign'), wide('campaign-import', 640)],
  ...[wide('usage'), dark('usage'), wide('numbers', 480), wide('trunks', 480), wide('webhooks'), wide('webhook')],
  ...[wide('keys', 480), wide('key-new'), wide('settings', 560), wide('provider-keys', 560), wide('health', 560)],
  wide('help'),
];

/** Returns the name of a picture's file. */
export function fileOf({ screen, colorScheme, width }: Shot): string {
  const marks = [colorScheme === 'dark' ? '-dark' : '', width < 720 ? '-narrow' : ''];
  return `${screen}${marks.join('')}.png`;
}
