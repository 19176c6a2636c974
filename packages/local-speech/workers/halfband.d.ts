export function halve(samples: Int16Array): Int16Array<ArrayBuffer>;

export class Doubler {
  double(samples: Int16Array): Int16Array;
}
