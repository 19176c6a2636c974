/** Fields of every record. Ids are UUIDs, times `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export interface StoredRecord {
  readonly id: string;
  readonly created_at: string;
}

/** Order of a list by `created_at`, then `id`: both descending (`newest` first) or both ascending (`oldest` first). */
export type Order = 'newest' | 'oldest';
