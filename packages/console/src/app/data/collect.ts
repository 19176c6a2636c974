/** Returns the records of a paged list, up to a limit. */
export async function collect<T>(records: AsyncIterable<T>, limit = 1_000): Promise<T[]> {
  const all: T[] = [];
  for await (const record of records) {
    if (all.length >= limit) break;
    all.push(record);
  }
  return all;
}
