import { useEffect, useRef } from 'preact/hooks';
import { type MoveRow, replaceRowMoves } from './rows.ts';

/** Moves by `j` and `k` in a list that has not all of its rows in the document. */
export function useRowMoves(move: MoveRow): void {
  const latest = useRef(move);
  latest.current = move;
  useEffect(() => replaceRowMoves((by) => latest.current(by)), []);
}
