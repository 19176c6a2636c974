import type { CallEnd, Scenario, Timeline, TimelineEntry, TranscriptLine } from './scenario.ts';

/** One section of the comparison, as lines in order. */
interface Section {
  readonly title: string;
  readonly expected: readonly string[];
  readonly actual: readonly string[];
}

/**
 * Returns the compared sections of a scenario: its timeline with its end, and each further section that its expectation
 * has.
 */
export function sectionsOf({ expect, hangsUpAtMs }: Scenario, actual: Timeline): Section[] {
  const end = expect.ended ?? { atMs: hangsUpAtMs, reason: 'user_hangup' };
  return [
    {
      title: 'timeline',
      expected: timelineLines(expect.timeline, end),
      actual: timelineLines(actual.entries, actual.ended),
    },
    ...compared('transcript', expect.transcript?.map(transcriptLine), actual.transcript.map(transcriptLine)),
    ...compared('requests', expect.requests?.map(shown), actual.requests.map(shown)),
    ...compared('latency', expect.latency?.map(shown), named(expect.latency, actual.latency)),
    ...compared('interruptions', expect.interruptionsMs?.map(String), actual.interruptionsMs.map(String)),
    ...compared('session', expect.session?.map(shown), named(expect.session, actual.session)),
  ];
}

function compared(title: string, expected: readonly string[] | undefined, actual: readonly string[]): Section[] {
  return expected === undefined ? [] : [{ title, expected, actual }];
}

/** Returns the entries as text, each with only the fields that its expectation has. */
function named(expected: readonly object[] = [], actual: readonly object[]): string[] {
  return actual.map((each, index) => {
    const wanted = expected[index];
    if (wanted === undefined) return shown(each);
    const values = new Map(Object.entries(each));
    return shown(Object.fromEntries(Object.keys(wanted).map((key) => [key, values.get(key)])));
  });
}

function timelineLines(entries: readonly TimelineEntry[], end: CallEnd): string[] {
  const lines = entries.map((entry, order) => ({
    atMs: startOf(entry),
    order: orderOf(entry),
    index: order,
    text: entryLine(entry),
  }));
  // Entries of the same moment are sorted in a fixed order, because their real order is not observable.
  lines.sort((a, b) => a.atMs - b.atMs || a.order - b.order || a.index - b.index);
  return [...lines.map(({ text }) => text), endLine(end)];
}

function startOf(entry: TimelineEntry): number {
  return 'agent' in entry ? entry.fromMs : entry.atMs;
}

function orderOf(entry: TimelineEntry): number {
  return 'agent' in entry ? 1 : 0;
}

function entryLine(entry: TimelineEntry): string {
  if ('agent' in entry) {
    const voice = entry.voice === undefined ? '' : ` (${entry.voice})`;
    return `${entry.fromMs}–${entry.toMs}  agent${voice}: ${entry.agent}`;
  }
  return `${entry.atMs}  ${eventText(entry)}`;
}

function eventText(entry: Exclude<TimelineEntry, { agent: string }>): string {
  if ('turn' in entry) return `turn: ${entry.turn}`;
  if ('interrupted' in entry) return 'interrupted';
  if ('resumed' in entry) return 'resumed';
  if ('language' in entry) return `language: ${entry.language}`;
  if ('tool' in entry) return `tool ${entry.tool}(${shown(entry.args)})`;
  if ('result' in entry) return `result of ${entry.of}: ${shown(entry.result)}`;
  if ('aborted' in entry) return `aborted: ${entry.aborted}`;
  if ('error' in entry) return `error of ${entry.of}: ${entry.error}`;
  if ('answeredBy' in entry) return `answered by: ${entry.answeredBy}`;
  if ('transfer' in entry) return `transfer to ${entry.transfer}: ${entry.status}`;
  if ('takeOver' in entry) return `take-over: ${entry.takeOver}`;
  if ('budget' in entry) return `budget${entry.of === undefined ? '' : ` of the ${entry.of}`}: ${entry.budget}`;
  return `keys sent: ${entry.keys}`;
}

function endLine({ atMs, reason, error }: CallEnd): string {
  return `${atMs}  ended: ${reason}${error === undefined ? '' : ` (${error})`}`;
}

function transcriptLine(line: TranscriptLine): string {
  return 'agent' in line ? `agent: ${line.agent}` : `caller: ${line.caller}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : sortedJson(value);
}

function sortedJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    ) ?? 'undefined'
  );
}
