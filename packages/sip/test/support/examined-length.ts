type Cost = (text: string, args: readonly unknown[], result: unknown) => number;

const whole: Cost = (text) => text.length;
const copied: Cost = (_text, _args, result) => String(result).length;
const searched: Cost = (text, [, from], result) => (result === -1 ? text.length : Number(result)) - Number(from ?? 0);

/** Characters that a call of each method examines or copies. */
const stringMethods: Readonly<Record<string, Cost>> = {
  indexOf: searched,
  slice: copied,
  split: whole,
  toLowerCase: whole,
  trim: whole,
  trimEnd: whole,
};

/**
 * Returns the number of characters that string methods and regular expressions examine or copy while `run` runs: a
 * measure of work that does not depend on the speed of the machine.
 */
export function examinedLength(run: () => void): number {
  let length = 0;
  const restores: (() => void)[] = [];
  const measure = (target: object, name: string, cost: (self: unknown, args: unknown[], result: unknown) => number) => {
    const original: unknown = Reflect.get(target, name);
    if (typeof original !== 'function') throw new Error(`no method ${name}`);
    const measured = function (this: unknown, ...args: unknown[]): unknown {
      const result: unknown = Reflect.apply(original, this, args);
      length += cost(this, args, result);
      return result;
    };
    Reflect.set(target, name, measured);
    restores.push(() => Reflect.set(target, name, original));
  };
  for (const [name, cost] of Object.entries(stringMethods)) {
    measure(String.prototype, name, (self, args, result) => cost(String(self), args, result));
  }
  measure(RegExp.prototype, 'exec', (_self, [text]) => String(text).length);
  try {
    run();
  } finally {
    for (const restore of restores) restore();
  }
  return length;
}
