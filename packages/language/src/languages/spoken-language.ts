/** How a language says what is written in figures and signs. */
export interface SpokenLanguage {
  /** 0 to 9. */
  readonly digits: readonly string[];
  readonly signs: Signs;
  /** What abbreviations stand for: lower case, with their dots but the last. */
  readonly abbreviations: ReadonlyMap<string, string>;
  /** Abbreviations only before a number, with the same meaning. */
  readonly numberAbbreviations: ReadonlyMap<string, string>;
  /** Titles are also written without a dot, before a name. */
  readonly titles: ReadonlyMap<string, string>;
  /** Said letter by letter though they have vowels. */
  readonly acronyms: ReadonlySet<string>;
  /** Null where only the words above are known: numbers, dates and money are then left to the synthesizer. */
  readonly numbers: NumberGrammar | null;
}

export interface Signs {
  readonly and: string;
  readonly or: string;
  readonly at: string;
  /** The @ of an address. */
  readonly atSign: string;
  readonly dot: string;
  readonly slash: string;
  readonly dash: string;
  readonly underscore: string;
  readonly plus: string;
  readonly percent: string;
  readonly number: string;
  readonly paragraph: string;
  readonly equals: string;
  readonly times: string;
  readonly degrees: string;
  readonly hashtag: string;
  readonly about: string;
}

/** A date; the year is null where none is written. */
export interface CalendarDate {
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
}

export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number | null;
  /** As written, null on a clock of 24 hours. */
  readonly half: 'am' | 'pm' | null;
}

/** An amount: whole units, and hundredths where any are written. */
export interface MoneyAmount {
  readonly whole: number;
  readonly cents: number;
  readonly currency: Currency;
}

export type Currency = 'EUR' | 'USD' | 'GBP' | 'CHF' | 'JPY';

/** One of something, and several. */
export type Plural = readonly [one: string, many: string];

export interface NumberGrammar {
  readonly decimalMark: '.' | ',';
  readonly minus: string;
  readonly to: string;
  /** Words after a number that scale an amount: "million". */
  readonly scales: ReadonlySet<string>;
  readonly ordinalSuffix: RegExp;
  /** Month names and their short forms, in lower case. */
  readonly months: ReadonlySet<string>;
  /** Words before a number of four digits that make it a year. */
  readonly yearWords: ReadonlySet<string>;
  /** Words that follow a time of day, and are part of it. */
  readonly clockWords: ReadonlySet<string>;
  readonly units: ReadonlyMap<string, Plural>;
  /** Fractions as they are written, "1/2", and as characters. */
  readonly fractions: ReadonlyMap<string, string>;
  /** A whole number, up to 10^15. */
  cardinal(value: number): string;
  ordinal(value: number): string;
  year(value: number): string;
  /** The digits after the decimal mark. */
  decimals(digits: string): string;
  date(date: CalendarDate, region: string): string;
  /** A day beside the name of its month. */
  dayBeside(day: number, side: 'before' | 'after'): string;
  time(time: ClockTime): string;
  money(amount: MoneyAmount): string;
  currency(currency: Currency): Plural;
}
