const dayMs = 86_400_000;
const maxDays = 366;
const defaultDays = 30;

/** A range of UTC days (`2026-01-31`), both inclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Returns the last `days` days including today. */
export function lastDays(days: number, nowMs: number): Period {
  return { from: dayOf(nowMs - (days - 1) * dayMs), to: dayOf(nowMs) };
}

/** Returns the period of a URL query; by default the last 30 days. */
export function periodOf(query: Readonly<Record<string, string>>, nowMs: number): Period {
  const { from, to } = lastDays(defaultDays, nowMs);
  return { from: isDay(query.from) ? query.from : from, to: isDay(query.to) ? query.to : to };
}

/** Returns the days of a period. */
export function daysOf({ from, to }: Period): string[] {
  const count = Math.floor((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  const length = Math.max(0, Math.min(maxDays, count));
  return Array.from({ length }, (_, at) => dayOf(Date.parse(from) + at * dayMs));
}

function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
