/** Two lines side by side; a common line is in both columns. */
export interface Row {
  readonly expected: string | null;
  readonly actual: string | null;
}

/**
 * Aligns two lists of lines by their longest common subsequence. Lines of only one side share rows with those of the
 * other side.
 */
export function align(expected: readonly string[], actual: readonly string[]): Row[] {
  const rows: Row[] = [];
  let [left, right]: [string[], string[]] = [[], []];
  const flush = (): void => {
    for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
      rows.push({ expected: left[at] ?? null, actual: right[at] ?? null });
    }
    [left, right] = [[], []];
  };
  for (const row of loneRows(expected, actual)) {
    if (row.expected !== null && row.actual !== null) {
      flush();
      rows.push(row);
    } else if (row.expected !== null) left.push(row.expected);
    else if (row.actual !== null) right.push(row.actual);
  }
  flush();
  return rows;
}

function loneRows(expected: readonly string[], actual: readonly string[]): Row[] {
  // common[i][j]: length of the longest common subsequence of the rests from i and j on.
  const common = Array.from({ length: expected.length + 1 }, () => new Array<number>(actual.length + 1).fill(0));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = expected.length - 1; i >= 0; i -= 1) {
    for (let j = actual.length - 1; j >= 0; j -= 1) {
      const row = common[i];
      if (row === undefined) continue;
      row[j] = expected[i] === actual[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const rows: Row[] = [];
  let i = 0;
  let j = 0;
  while (i < expected.length || j < actual.length) {
    const [left = null, right = null] = [expected[i], actual[j]];
    if (left !== null && left === right) {
      rows.push({ expected: left, actual: right });
      i += 1;
      j += 1;
    } else if (right === null || (left !== null && at(i + 1, j) >= at(i, j + 1))) {
      rows.push({ expected: left, actual: null });
      i += 1;
    } else {
      rows.push({ expected: null, actual: right });
      j += 1;
    }
  }
  return rows;
}

/** Formats two columns; rows that differ are marked. */
export function sideBySide(rows: readonly Row[]): string {
  const width = Math.max('expected'.length, ...rows.map(({ expected }) => expected?.length ?? 0));
  const line = (mark: string, left: string, right: string): string =>
    `${mark} ${left.padEnd(width)} | ${right}`.trimEnd();
  return [
    line(' ', 'expected', 'actual'),
    ...rows.map(({ expected, actual }) => line(expected === actual ? ' ' : '>', expected ?? '', actual ?? '')),
  ].join('\n');
}
