const small = `zero one two three four five six seven eight nine ten eleven twelve
  thirteen fourteen fifteen sixteen seventeen eighteen nineteen`.split(/\s+/);
const tens = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const scales: readonly (readonly [number, string])[] = [
  [1e15, 'quadrillion'],
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
  [1e3, 'thousand'],
];
const irregular: ReadonlyMap<string, string> = new Map([
  ['one', 'first'],
  ['two', 'second'],
  ['three', 'third'],
  ['five', 'fifth'],
  ['eight', 'eighth'],
  ['nine', 'ninth'],
  ['twelve', 'twelfth'],
]);

/** Returns a whole number in English words. */
export function cardinal(value: number): string {
  if (value < 20) return small[value] ?? '';
  if (value < 100) {
    const unit = value % 10;
    return `${tens[Math.floor(value / 10)] ?? ''}${unit === 0 ? '' : `-${cardinal(unit)}`}`;
  }
  if (value < 1_000) {
    const rest = value % 100;
    return `${cardinal(Math.floor(value / 100))} hundred${rest === 0 ? '' : ` and ${cardinal(rest)}`}`;
  }
  const [size, name] = scales.find(([each]) => each <= value) ?? [1e3, 'thousand'];
  const rest = value % size;
  const joint = rest === 0 ? '' : rest < 100 ? ' and ' : ' ';
  return `${cardinal(Math.floor(value / size))} ${name}${joint}${rest === 0 ? '' : cardinal(rest)}`;
}

export function ordinal(value: number): string {
  const said = cardinal(value);
  const at = Math.max(said.lastIndexOf(' '), said.lastIndexOf('-')) + 1;
  const last = said.slice(at);
  const turned = irregular.get(last) ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`);
  return said.slice(0, at) + turned;
}

/** Returns a year in two halves ("nineteen ninety-eight"), except the first ten years of a millennium from 2000 on. */
export function year(value: number): string {
  const century = Math.floor(value / 100);
  const rest = value % 100;
  if (value < 1_100 || value > 9_999 || (value % 1_000 < 10 && value >= 2_000)) return cardinal(value);
  if (rest === 0) return `${cardinal(century)} hundred`;
  return `${cardinal(century)} ${rest < 10 ? `oh ${cardinal(rest)}` : cardinal(rest)}`;
}
