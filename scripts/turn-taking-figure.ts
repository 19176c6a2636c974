import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { speechConfigSchema } from '@va/core';
import { endpointingDelays } from '../packages/core/src/domain/agents/speech/endpointing-presets.ts';

// Draws docs/turn-taking.svg: what happens after a caller stops, with the default settings.

const file = fileURLToPath(new URL('../docs/turn-taking.svg', import.meta.url));
const { vad, preemptive, endpointing } = speechConfigSchema.parse({});
const { minMs, openMs, unfinishedMs } = endpointingDelays(endpointing);
/** Windows of the detector are 32 ms long: the end of speech is noticed with the first one beyond the minimum. */
const endedMs = Math.ceil(vad.min_silence_ms / 32) * 32;
const turnModelMs = 150;

const scaleStartX = 190;
const pixelsPerMs = 0.28;
const rowHeight = 40;
const width = 800;

interface Bar {
  readonly label: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly note: string;
  readonly color: string;
}

const bars: readonly Bar[] = [
  { label: 'the caller speaks', fromMs: -250, toMs: 0, note: '', color: '#8ab4d8' },
  { label: 'silence is noticed', fromMs: 0, toMs: endedMs, note: 'vad.min_silence_ms', color: '#c9c9c9' },
  { label: 'words are settled', fromMs: endedMs, toMs: endedMs + 150, note: 'the recognizer', color: '#b7d7b0' },
  {
    label: 'a reply is prepared',
    fromMs: preemptive.stable_ms,
    toMs: 900,
    note: 'preemptive.stable_ms',
    color: '#e8d28a',
  },
  { label: 'a turn model is asked', fromMs: turnModelMs, toMs: turnModelMs + 50, note: 'turnModel', color: '#d9b3d6' },
  {
    label: 'the turn may end',
    fromMs: Math.max(minMs, endedMs),
    toMs: openMs,
    note: 'min_delay_ms to open_delay_ms',
    color: '#f0a58f',
  },
  {
    label: 'words that need more',
    fromMs: unfinishedMs - 12,
    toMs: unfinishedMs,
    note: 'unfinished_delay_ms',
    color: '#f0a58f',
  },
];

const xOf = (ms: number): number => Math.round(scaleStartX + (ms + 250) * pixelsPerMs);

function rowOf({ label, fromMs, toMs, note, color }: Bar, index: number): string {
  const y = 30 + index * rowHeight;
  const [from, to] = [xOf(fromMs), xOf(toMs)];
  // The note stands beside its bar, or before it where there is no room.
  const isRoomy = to + note.length * 7 < width;
  const text = isRoomy ? `x="${to + 6}"` : `x="${from - 6}" text-anchor="end"`;
  return [
    `  <text x="8" y="${y + 16}">${label}</text>`,
    `  <rect x="${from}" y="${y}" width="${Math.max(3, to - from)}" height="24" rx="3" fill="${color}"/>`,
    `  <text ${text} y="${y + 16}" class="note">${note}</text>`,
  ].join('\n');
}

const height = 30 + bars.length * rowHeight + 40;
const ticks = [0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750];
const axisY = height - 36;

const numberOf = (ms: number): string =>
  `  <text x="${xOf(ms)}" y="${axisY + 18}" text-anchor="middle" class="note">${ms}</text>`;

const figure = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"
  aria-label="From the caller's last word to the end of the turn">
  <style>
    text { font: 13px sans-serif; fill: #333 }
    .note { font: 11px monospace; fill: #555 }
  </style>
  <rect width="${width}" height="${height}" fill="#fff"/>
${ticks.map((ms) => `  <line x1="${xOf(ms)}" y1="20" x2="${xOf(ms)}" y2="${axisY}" stroke="#e4e4e4"/>`).join('\n')}
  <line x1="${xOf(0)}" y1="20" x2="${xOf(0)}" y2="${axisY}" stroke="#888"/>
${bars.map(rowOf).join('\n')}
${ticks.map(numberOf).join('\n')}
  <text x="8" y="${axisY + 18}" class="note">ms after the last word</text>
</svg>
`;

if (!process.argv.includes('--check')) {
  await writeFile(file, figure);
} else if ((await readFile(file, 'utf8')) !== figure) {
  console.error('docs/turn-taking.svg is out of date: npm run docs:turn-taking');
  process.exitCode = 1;
}
