/** Words with which a language reads figures and signs aloud. */
export interface SpokenLanguage {
  /** Words of the digits 0 to 9. */
  readonly digits: readonly string[];
  readonly signs: Signs;
  /** Abbreviations (lower case, without their last dot) and their full words. */
  readonly abbreviations: ReadonlyMap<string, string>;
  /** Abbreviations that apply only before a number. */
  readonly numberAbbreviations: ReadonlyMap<string, string>;
  /** Titles that may stand before a name without a dot. */
  readonly titles: ReadonlyMap<string, string>;
  /** Acronyms that are spelled although they contain vowels. */
  readonly acronyms: ReadonlySet<string>;
  /** Grammar of numbers; null leaves numbers, dates and money to the synthesizer. */
  readonly numbers: NumberGrammar | null;
}

export interface Signs {
  readonly and: string;
  readonly or: string;
  readonly at: string;
  /** The @ in an address. */
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
  readonly celsius: string;
  readonly fahrenheit: string;
  readonly hashtag: string;
  readonly about: string;
}

/** Date; `year` is null if none is written. */
export interface CalendarDate {
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
}

export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number | null;
  /** Half of the day; null on a 24-hour clock. */
  readonly half: 'am' | 'pm' | null;
}

/** Amount in whole units and hundredths. */
export interface MoneyAmount {
  readonly whole: number;
  readonly cents: number;
  readonly currency: Currency;
}

export type Currency = 'EUR' | 'USD' | 'GBP' | 'CHF' | 'JPY';

/** Singular and plural. */
export type Plural = readonly [one: string, many: string];

export interface NumberGrammar {
  readonly decimalMark: '.' | ',';
  /** Word of the decimal mark between digits: "point" in "0.5". */
  readonly spokenDecimalMark: string;
  /** Words of the decimal mark that begins a number, as in ".5". */
  readonly leadingDecimalMark: string;
  readonly minus: string;
  readonly to: string;
  /** Word between a date and its time of day: "at". */
  readonly atTime: string;
  /** Words after a number that scale it: "million". */
  readonly scales: ReadonlySet<string>;
  readonly ordinalSuffix: RegExp;
  /** Names of months and their abbreviations, in lower case. */
  readonly months: ReadonlySet<string>;
  /** Words before a four-digit number that make it a year. */
  readonly yearWords: ReadonlySet<string>;
  /** Words that belong to the time of day before them: "o'clock". */
  readonly clockWords: ReadonlySet<string>;
  readonly units: ReadonlyMap<string, Plural>;
  /** Fractions, written as "1/2" and as single characters. */
  readonly fractions: ReadonlyMap<string, string>;
  /** Returns a whole number up to 10^15 in words. */
  cardinal(value: number): string;
  ordinal(value: number): string;
  year(value: number): string;
  /** Returns the name of a decade ("1990s", "80s"); null in languages that do not write decades with a suffix. */
  readonly decade: ((value: number) => string) | null;
  /** Returns the digits after the decimal mark in words. */
  decimals(digits: string): string;
  date(date: CalendarDate, region: string): string;
  /** Returns a day before or after the name of its month. */
  dayBeside(day: number, side: 'before' | 'after'): string;
  time(time: ClockTime): string;
  money(amount: MoneyAmount): string;
  currency(currency: Currency): Plural;
}
