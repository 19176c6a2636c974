import { pairs, plurals, setOf } from '../lists.ts';
import type { CalendarDate, ClockTime, Currency, MoneyAmount, Plural, SpokenLanguage } from '../spoken-language.ts';
import { cardinal, decade, ordinal, year } from './numbers.ts';

const months = 'January February March April May June July August September October November December'.split(' ');
const digits = 'zero one two three four five six seven eight nine'.split(' ');
const currencies: Readonly<Record<Currency, { readonly whole: Plural; readonly cents: Plural }>> = {
  EUR: { whole: ['euro', 'euros'], cents: ['cent', 'cents'] },
  USD: { whole: ['dollar', 'dollars'], cents: ['cent', 'cents'] },
  GBP: { whole: ['pound', 'pounds'], cents: ['penny', 'pence'] },
  CHF: { whole: ['franc', 'francs'], cents: ['centime', 'centimes'] },
  JPY: { whole: ['yen', 'yen'], cents: ['sen', 'sen'] },
};

export const spoken: SpokenLanguage = {
  digits,
  signs: {
    and: 'and',
    or: 'or',
    at: 'at',
    atSign: 'at',
    dot: 'dot',
    slash: 'slash',
    dash: 'dash',
    underscore: 'underscore',
    plus: 'plus',
    percent: 'percent',
    number: 'number',
    paragraph: 'section',
    equals: 'equals',
    times: 'times',
    degrees: 'degrees',
    celsius: 'Celsius',
    fahrenheit: 'Fahrenheit',
    hashtag: 'hashtag',
    about: 'about',
  },
  abbreviations: pairs(
    `mr=Mister; mrs=Missus; ms=Miss; dr=Doctor; prof=Professor; e.g=for example; i.e=that is;
      approx=approximately; etc=et cetera; vs=versus; dept=department; appt=appointment; est=established;
      incl=including; excl=excluding; ext=extension; tel=telephone; jr=Junior; sr=Senior; ltd=Limited;
      inc=Incorporated; corp=Corporation; ave=Avenue; blvd=Boulevard; rd=Road; a.m=A M; p.m=P M;
      a.k.a=also known as; and/or=and or; n/a=not applicable; w/o=without; w.r.t=with respect to; p.s=P S`,
  ),
  numberAbbreviations: pairs(
    'no=number; nr=number; art=article; fig=figure; vol=volume; ch=chapter; p=page; pp=pages; apt=apartment',
  ),
  titles: pairs('mr=Mister; mrs=Missus; dr=Doctor; prof=Professor'),
  acronyms: setOf(
    `FAQ, ABN, API, URL, USB, UK, US, USA, EU, UN, UPS, ATM, ID, IT, HR, AI, PO, VIP, IOS, CEO, CFO, CTO, GPS,
      SUV, UFO, IP, TBA, ETA, ISP, IOU, RSVP, UTC, EST, OTP, UI, UX, IVR, VAT`,
  ),
  numbers: {
    decimalMark: '.',
    spokenDecimalMark: 'point',
    leadingDecimalMark: 'point',
    minus: 'minus',
    to: 'to',
    atTime: 'at',
    scales: setOf('million, billion, trillion, thousand, hundred'),
    ordinalSuffix: /^(?:st|nd|rd|th)$/i,
    months: new Set([
      ...months.map((month) => month.toLowerCase()),
      ...'jan feb mar apr jun jul aug sep sept oct nov dec'.split(' '),
    ]),
    yearWords: setOf(
      'in, since, until, till, before, after, from, to, of, year, during, by, summer, winter, spring, autumn',
    ),
    clockWords: setOf("o'clock, hours, hrs"),
    units: plurals(
      `km=kilometer|kilometers; m=meter|meters; cm=centimeter|centimeters; mm=millimeter|millimeters;
        mi=mile|miles; ft=foot|feet; yd=yard|yards; kg=kilogram|kilograms; g=gram|grams; mg=milligram|milligrams;
        lb=pound|pounds; lbs=pound|pounds; oz=ounce|ounces; l=liter|liters; L=liter|liters;
        ml=milliliter|milliliters; mL=milliliter|milliliters; cl=centiliter|centiliters;
        °C=degree Celsius|degrees Celsius; ℃=degree Celsius|degrees Celsius;
        °F=degree Fahrenheit|degrees Fahrenheit; °=degree|degrees; ¢=cent|cents; %=percent|percent;
        ‰=per mille|per mille;
        m²=square meter|square meters; m2=square meter|square meters; km²=square kilometer|square kilometers;
        km2=square kilometer|square kilometers; m³=cubic meter|cubic meters; m3=cubic meter|cubic meters;
        ft²=square foot|square feet; min=minute|minutes; mins=minute|minutes; h=hour|hours; hr=hour|hours;
        hrs=hour|hours; s=second|seconds; sec=second|seconds; secs=second|seconds; ms=millisecond|milliseconds;
        km/h=kilometer per hour|kilometers per hour; kmh=kilometer per hour|kilometers per hour;
        mph=mile per hour|miles per hour; m/s=meter per second|meters per second; kW=kilowatt|kilowatts;
        W=watt|watts; kWh=kilowatt hour|kilowatt hours; V=volt|volts; Hz=hertz|hertz; kHz=kilohertz|kilohertz;
        MHz=megahertz|megahertz; GHz=gigahertz|gigahertz; kB=kilobyte|kilobytes; KB=kilobyte|kilobytes;
        MB=megabyte|megabytes; GB=gigabyte|gigabytes; TB=terabyte|terabytes;
        Mbps=megabit per second|megabits per second; Mbit/s=megabit per second|megabits per second; x=time|times;
        yrs=year|years; yr=year|years`,
    ),
    fractions: pairs(
      `1/2=one half; 1/3=one third; 2/3=two thirds; 1/4=one quarter; 3/4=three quarters; ½=one half; ⅓=one third;
        ⅔=two thirds; ¼=one quarter; ¾=three quarters; 24/7=twenty-four seven`,
    ),
    cardinal,
    ordinal,
    year,
    decade,
    decimals: (written) => [...written].map((digit) => digits[Number(digit)] ?? '').join(' '),
    date,
    dayBeside: (day, side) => (side === 'after' ? ordinal(day) : `the ${ordinal(day)} of`),
    time,
    money,
    currency: (currency) => currencies[currency].whole,
  },
};

function date({ year: ofYear, month, day }: CalendarDate, region: string): string {
  const name = months[month - 1] ?? '';
  const tail = ofYear === null ? '' : ofYear;
  const isAmerican = region === '' || region === 'US' || region === 'CA';
  const words = isAmerican ? `${name} ${ordinal(day)}` : `the ${ordinal(day)} of ${name}`;
  if (tail === '') return words;
  return `${words}${isAmerican ? ', ' : ' '}${year(tail)}`;
}

function time({ hour, minute, second, half }: ClockTime): string {
  const seconds =
    second === null || second === 0 ? '' : ` and ${cardinal(second)} ${second === 1 ? 'second' : 'seconds'}`;
  const letters = half === null ? '' : half === 'am' ? ' A M' : ' P M';
  if (minute !== 0) {
    const minutes = minute < 10 ? `oh ${cardinal(minute)}` : cardinal(minute);
    return `${cardinal(hour)} ${minutes}${seconds}${letters}`;
  }
  if (half !== null) return `${cardinal(hour)}${seconds}${letters}`;
  if (hour === 0 || hour === 24) return `midnight${seconds}`;
  return (hour > 12 ? `${cardinal(hour)} hundred` : `${cardinal(hour)} o'clock`) + seconds;
}

function money({ whole, cents, currency }: MoneyAmount): string {
  const names = currencies[currency];
  const wholes = `${cardinal(whole)} ${whole === 1 ? names.whole[0] : names.whole[1]}`;
  if (cents === 0) return wholes;
  const hundredths = `${cardinal(cents)} ${cents === 1 ? names.cents[0] : names.cents[1]}`;
  return whole === 0 ? hundredths : `${wholes} and ${hundredths}`;
}
