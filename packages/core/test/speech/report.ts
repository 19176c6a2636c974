/** All conditions are measured, and the figures told, where this is set; else as many as CI has time for. */
export const measuresAll = process.env.VA_SPEECH_FIGURES !== undefined;

export function tell(what: string, figures: object): void {
  if (measuresAll) process.stderr.write(`${what}: ${JSON.stringify(figures)}\n`);
}
