import { pairs, plurals, setOf } from '../lists.ts';
import type { CalendarDate, ClockTime, Currency, MoneyAmount, SpokenLanguage } from '../spoken-language.ts';
import { cardinal, ordinal, year } from './numbers.ts';

const months = 'januari februari maart april mei juni juli augustus september oktober november december'.split(' ');
const digits = 'nul een twee drie vier vijf zes zeven acht negen'.split(' ');
/** Dutch amounts use the singular of a currency. */
const currencies: Readonly<Record<Currency, { readonly whole: string; readonly cents: string }>> = {
  EUR: { whole: 'euro', cents: 'cent' },
  USD: { whole: 'dollar', cents: 'cent' },
  GBP: { whole: 'pond', cents: 'pence' },
  CHF: { whole: 'frank', cents: 'rappen' },
  JPY: { whole: 'yen', cents: 'sen' },
};

export const spoken: SpokenLanguage = {
  digits,
  signs: {
    and: 'en',
    or: 'of',
    at: 'at',
    atSign: 'apenstaartje',
    dot: 'punt',
    slash: 'slash',
    dash: 'streepje',
    underscore: 'liggend streepje',
    plus: 'plus',
    percent: 'procent',
    number: 'nummer',
    paragraph: 'paragraaf',
    equals: 'is',
    times: 'keer',
    degrees: 'graden',
    celsius: 'Celsius',
    fahrenheit: 'Fahrenheit',
    hashtag: 'hashtag',
    about: 'ongeveer',
  },
  abbreviations: pairs(
    `bijv=bijvoorbeeld; bv=bijvoorbeeld; b.v=bijvoorbeeld; d.w.z=dat wil zeggen; dwz=dat wil zeggen;
      o.a=onder andere; dhr=de heer; mevr=mevrouw; mw=mevrouw; dr=dokter; drs=doctorandus; prof=professor;
      ing=ingenieur; ir=ingenieur; m.b.t=met betrekking tot; i.v.m=in verband met; i.p.v=in plaats van;
      t.a.v=ter attentie van; t.n.v=ten name van; t.o.v=ten opzichte van; o.b.v=op basis van;
      n.a.v=naar aanleiding van; a.d.h.v=aan de hand van; d.m.v=door middel van; i.o.m=in overleg met;
      t/m=tot en met; en/of=en of; a.u.b=alstublieft; s.v.p=alstublieft; z.s.m=zo snel mogelijk;
      m.a.w=met andere woorden; n.v.t=niet van toepassing; e.d=en dergelijke; e.a=en andere; enz=enzovoort;
      etc=et cetera; ca=circa; evt=eventueel; incl=inclusief; excl=exclusief; resp=respectievelijk; tel=telefoon;
      max=maximaal; min=minimaal; gem=gemiddeld; afd=afdeling; vgl=vergelijk; zgn=zogenaamd; m.n=met name;
      vnl=voornamelijk; v.a=vanaf; a.s=aanstaande; jl=jongstleden; p.p=per persoon; p.st=per stuk; p.m=per maand;
      p.w=per week; t.w.v=ter waarde van; t.b.v=ten behoeve van; i.g.v=in geval van; o.l.v=onder leiding van;
      w.o=waaronder; jr=junior; sr=senior; st=Sint`,
  ),
  numberAbbreviations: pairs(
    'nr=nummer; no=nummer; art=artikel; blz=bladzijde; pag=pagina; fig=figuur; hfst=hoofdstuk',
  ),
  titles: pairs('dhr=de heer; mevr=mevrouw; mw=mevrouw; drs=doctorandus; dr=dokter; prof=professor'),
  acronyms: setOf(
    `FAQ, ABN, API, URL, USB, EU, VN, VS, UPS, AI, ID, IT, HR, UWV, ANWB, AOW, AVG, IND, ING, OV, ZZP, WIA, WOZ,
      BSN, EHBO, SOS, VIP, CAO, UV, GPS, IP, UTC`,
  ),
  numbers: {
    decimalMark: ',',
    spokenDecimalMark: 'komma',
    leadingDecimalMark: 'nul komma',
    minus: 'min',
    to: 'tot',
    atTime: 'om',
    scales: setOf('miljoen, miljard, biljoen, duizend, honderd'),
    ordinalSuffix: /^(?:e|de|ste)$/i,
    months: new Set([...months, ...'jan feb mrt apr jun jul aug sep sept okt nov dec'.split(' ')]),
    yearWords: setOf('in, sinds, tot, voor, na, vanaf, van, jaar, tijdens, uit, zomer, winter, voorjaar, najaar'),
    clockWords: setOf('uur, u'),
    units: plurals(
      `km=kilometer; m=meter; cm=centimeter; mm=millimeter; kg=kilo; g=gram; gr=gram; mg=milligram; l=liter;
        L=liter; ml=milliliter; mL=milliliter; cl=centiliter; dl=deciliter; °C=graad Celsius|graden Celsius;
        ℃=graad Celsius|graden Celsius; °F=graad Fahrenheit|graden Fahrenheit; °=graad|graden; %=procent;
        ‰=promille; m²=vierkante meter; m2=vierkante meter; km²=vierkante kilometer; km2=vierkante kilometer;
        m³=kubieke meter; m3=kubieke meter; min=minuut|minuten; h=uur; s=seconde|seconden; sec=seconde|seconden;
        ms=milliseconde|milliseconden; km/h=kilometer per uur; km/u=kilometer per uur; kmh=kilometer per uur;
        m/s=meter per seconde; kW=kilowatt; W=watt; kWh=kilowattuur; V=volt; Hz=hertz; kHz=kilohertz;
        MHz=megahertz; GHz=gigahertz; kB=kilobyte; KB=kilobyte; MB=megabyte; GB=gigabyte; TB=terabyte;
        Mbps=megabit per seconde; Mbit/s=megabit per seconde; x=keer; mnd=maand|maanden; st=stuk|stuks`,
    ),
    fractions: pairs(
      `1/2=een half; 1/3=een derde; 2/3=twee derde; 1/4=een kwart; 3/4=driekwart; ½=een half; ⅓=een derde;
        ⅔=twee derde; ¼=een kwart; ¾=driekwart; 24/7=vierentwintig zeven`,
    ),
    cardinal,
    ordinal,
    year,
    decade: null,
    decimals,
    date,
    dayBeside: (day) => cardinal(day),
    time,
    money,
    currency: (currency) => [currencies[currency].whole, currencies[currency].whole],
  },
};

/** Reads two decimals as one number ("drie komma veertien"), more as digits. */
function decimals(written: string): string {
  if (written.length <= 2 && !written.startsWith('0')) return cardinal(Number(written));
  return [...written].map((digit) => digits[Number(digit)] ?? '').join(' ');
}

function date({ year: ofYear, month, day }: CalendarDate): string {
  return `${cardinal(day)} ${months[month - 1] ?? ''}${ofYear === null ? '' : ` ${year(ofYear)}`}`;
}

function time({ hour, minute, second, half }: ClockTime): string {
  const said = [`${cardinal(half === 'pm' && hour < 12 ? hour + 12 : hour)} uur`];
  if (minute !== 0) said.push(cardinal(minute));
  if (second !== null && second !== 0) said.push(`en ${cardinal(second)} ${second === 1 ? 'seconde' : 'seconden'}`);
  return said.join(' ');
}

function money({ whole, cents, currency }: MoneyAmount): string {
  const names = currencies[currency];
  if (cents === 0) return `${cardinal(whole)} ${names.whole}`;
  return whole === 0 ? `${cardinal(cents)} ${names.cents}` : `${cardinal(whole)} ${names.whole} ${cardinal(cents)}`;
}
