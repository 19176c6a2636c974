/** BCP 47 tag, written text, and the expected spoken text. */
export type SpokenRow = readonly [language: string, written: string, spoken: string];
