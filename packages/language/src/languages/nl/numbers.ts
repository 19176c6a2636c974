const small = `nul een twee drie vier vijf zes zeven acht negen tien elf twaalf
  dertien veertien vijftien zestien zeventien achttien negentien`.split(/\s+/);
const tens = ' tien twintig dertig veertig vijftig zestig zeventig tachtig negentig'.split(' ');
const scales: readonly (readonly [number, string])[] = [
  [1e15, 'biljard'],
  [1e12, 'biljoen'],
  [1e9, 'miljard'],
  [1e6, 'miljoen'],
];
const irregular: ReadonlyMap<number, string> = new Map([
  [0, 'nulde'],
  [1, 'eerste'],
  [2, 'tweede'],
  [3, 'derde'],
  [4, 'vierde'],
  [5, 'vijfde'],
  [6, 'zesde'],
  [7, 'zevende'],
  [8, 'achtste'],
  [9, 'negende'],
  [10, 'tiende'],
  [11, 'elfde'],
  [12, 'twaalfde'],
]);

/** Returns a whole number in Dutch: one word below a thousand, with a space after "duizend". */
export function cardinal(value: number): string {
  if (value < 20) return small[value] ?? '';
  if (value < 100) {
    const unit = small[value % 10] ?? '';
    const ten = tens[Math.floor(value / 10)] ?? '';
    return value % 10 === 0 ? ten : `${unit}${unit.endsWith('e') ? 'ën' : 'en'}${ten}`;
  }
  if (value < 1_000) {
    const hundreds = Math.floor(value / 100);
    return `${hundreds === 1 ? '' : cardinal(hundreds)}honderd${rest(value % 100, '')}`;
  }
  if (value < 1_000_000) {
    const thousands = Math.floor(value / 1_000);
    return `${thousands === 1 ? '' : cardinal(thousands)}duizend${rest(value % 1_000, ' ')}`;
  }
  const [size, name] = scales.find(([each]) => each <= value) ?? [1e6, 'miljoen'];
  return `${cardinal(Math.floor(value / size))} ${name}${rest(value % size, ' ')}`;
}

function rest(value: number, joint: string): string {
  return value === 0 ? '' : `${joint}${cardinal(value)}`;
}

export function ordinal(value: number): string {
  const last = value % 100;
  const known = irregular.get(last);
  if (known !== undefined && (value < 100 || last > 0)) {
    return value < 100 ? known : cardinal(value - last) + (value % 1_000 === last ? ' ' : '') + known;
  }
  return `${cardinal(value)}${last >= 13 && last <= 19 ? 'de' : 'ste'}`;
}

/** Returns a year. Years of the previous millennium are counted in hundreds. */
export function year(value: number): string {
  if (value < 1_100 || value >= 2_000) return cardinal(value);
  return `${cardinal(Math.floor(value / 100))}honderd${rest(value % 100, '')}`;
}
