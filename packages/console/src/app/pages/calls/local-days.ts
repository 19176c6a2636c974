/** Returns the start of a day (`2026-03-29`) in the viewer's time zone; null for other text. */
export function startOfDay(day: string | undefined): string | null {
  return startAfter(day, 0);
}

/** Returns the end of a day in the viewer's time zone; null for other text. */
export function endOfDay(day: string | undefined): string | null {
  return startAfter(day, 1);
}

function startAfter(day: string | undefined, days: number): string | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '');
  if (parts === null) return null;
  const [year = 0, month = 0, date = 0] = parts.slice(1).map(Number);
  const start = new Date(year, month - 1, date);
  // Date moves days that do not exist, such as February 31, into another month.
  if (start.getMonth() !== month - 1 || start.getDate() !== date) return null;
  return new Date(year, month - 1, date + days).toISOString();
}
