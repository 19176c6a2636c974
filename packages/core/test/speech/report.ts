/** True if all conditions are measured and printed; otherwise only as many as CI has time for. */
export const measuresAll = process.env.VA_SPEECH_FIGURES !== undefined;

export function tell(what: string, figures: object): void {
  if (measuresAll) process.stderr.write(`${what}: ${JSON.stringify(figures)}\n`);
}
