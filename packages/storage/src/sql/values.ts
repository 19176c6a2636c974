import { VaError } from '@va/core';

/** How each type of PostgreSQL comes back from its text, by the type's OID: as records have it. */
export const valueParsers: Readonly<Record<number, (text: string) => unknown>> = {
  /** bool */
  16: (text) => text === 't',
  /** int8 */
  20: Number,
  /** int4 */
  23: Number,
  /** json */
  114: (text) => JSON.parse(text),
  /** float8 */
  701: Number,
  /** timestamptz */
  1184: parseInstant,
  /** numeric, as sums of int8 are */
  1700: Number,
};

const instant = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?([+-]\d\d(?::\d\d)?)$/;

/** From the server's text, which is in the time zone of the session, to `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function parseInstant(text: string): string {
  const [, date, time, fraction = '.', offset] = instant.exec(text) ?? [];
  if (date === undefined || offset === undefined) {
    throw new VaError(
      'unreadable_timestamp',
      `Not a timestamp: "${text}". The session needs the DateStyle ISO, the default.`,
    );
  }
  const milliseconds = fraction.padEnd(4, '0').slice(0, 4);
  if (offset === '+00') return `${date}T${time}${milliseconds}Z`;
  const fullOffset = offset.length === 3 ? `${offset}:00` : offset;
  return new Date(`${date}T${time}${milliseconds}${fullOffset}`).toISOString();
}
