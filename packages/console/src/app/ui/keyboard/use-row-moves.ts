import { useEffect, useRef } from 'preact/hooks';
import { type MoveRow, replaceRowMoves } from './rows.ts';

/** Handles `j` and `k` in a virtual list, which renders only the visible rows. */
export function useRowMoves(move: MoveRow): void {
  const latest = useRef(move);
  latest.current = move;
  useEffect(() => replaceRowMoves((by) => latest.current(by)), []);
}
