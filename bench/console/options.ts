import { parseArgs } from 'node:util';

const parts = ['api', 'browser', 'watch'] as const;
type Part = (typeof parts)[number];

export interface Options {
  /** Calls of the first organization. */
  readonly calls: number;
  readonly parts: ReadonlySet<Part>;
  /** Live calls that are watched. */
  readonly watched: number;
  /** Pairs of measurements with and without a watcher. */
  readonly pairs: number;
}

/** Reads the options of the command line, such as `--calls 20000 --parts api,browser`. @throws Error for others */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      calls: { type: 'string', default: process.env.BENCH_CALLS ?? '1000000' },
      parts: { type: 'string', default: parts.join(',') },
      watched: { type: 'string', default: '200' },
      pairs: { type: 'string', default: '20' },
    },
  });
  const asked = values.parts.split(',');
  const unknown = asked.find((part) => !parts.some((known) => known === part));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}; there are ${parts.join(', ')}.`);
  return {
    calls: numberOf('calls', values.calls),
    parts: new Set(parts.filter((part) => asked.includes(part))),
    watched: numberOf('watched', values.watched),
    pairs: numberOf('pairs', values.pairs),
  };
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} takes a positive integer, not ${text}.`);
  return number;
}
