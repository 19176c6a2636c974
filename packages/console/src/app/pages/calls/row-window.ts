export const rowPx = 40;
export const headPx = 34;
/** Rows rendered beyond each edge of the viewport. */
const overscan = 8;
/** Maximum element height in pixels, below the limits of Firefox (17.9 million) and Chromium (33.5 million). */
const maxBodyPx = 8_000_000;

export interface ScrollState {
  readonly total: number;
  readonly scrollTop: number;
  readonly viewPx: number;
}

/** The rendered range of rows, and the heights of the spacers before and after it. */
export interface RowWindow {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  readonly abovePx: number;
  readonly belowPx: number;
}

/** Returns the pixels of the list per pixel of scrolling: 1 unless the list exceeds the maximum element height. */
function scaleOf({ total, viewPx }: Omit<ScrollState, 'scrollTop'>): number {
  const listPx = total * rowPx;
  const scrollablePx = maxBodyPx + headPx - viewPx;
  return listPx <= maxBodyPx || scrollablePx <= 0 ? 1 : (listPx + headPx - viewPx) / scrollablePx;
}

export function windowOf({ total, scrollTop, viewPx }: ScrollState): RowWindow {
  const top = scrollTop * scaleOf({ total, viewPx });
  const first = Math.max(0, Math.min(total, Math.floor(top / rowPx)) - overscan);
  const end = Math.min(total, Math.ceil((top + viewPx) / rowPx) + overscan);
  const bodyPx = Math.min(total * rowPx, maxBodyPx);
  const abovePx = Math.max(0, scrollTop - (top - first * rowPx));
  return { first, end, abovePx, belowPx: Math.max(0, bodyPx - abovePx - (end - first) * rowPx) };
}

/** Returns the scroll position nearest to the present one at which a row is visible. */
export function scrollTopFor(row: number, { total, scrollTop, viewPx }: ScrollState): number {
  const scale = scaleOf({ total, viewPx });
  const top = scrollTop * scale;
  const highest = (row + 1) * rowPx + headPx - viewPx;
  const wanted = Math.min(Math.max(top, highest), row * rowPx);
  return wanted === top ? scrollTop : Math.max(0, wanted) / scale;
}
