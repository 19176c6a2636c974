export const rowPx = 40;
export const headPx = 34;
/** Rows beyond each edge of the visible part. */
const overscan = 8;
/** Browsers lay out no element that is much higher: Firefox ends at 17.9 million pixels, Chromium at 33.5 million. */
const maxBodyPx = 8_000_000;

export interface ScrollState {
  readonly total: number;
  readonly scrollTop: number;
  readonly viewPx: number;
}

/** The rows in the page, and the space that stands for the others. */
export interface RowWindow {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  readonly abovePx: number;
  readonly belowPx: number;
}

/** Pixels of the list per pixel of the scroll bar; 1 unless the list is higher than an element can be. */
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

/** Returns the scroll position at which a row is visible, nearest to the present one. */
export function scrollTopFor(row: number, { total, scrollTop, viewPx }: ScrollState): number {
  const scale = scaleOf({ total, viewPx });
  const top = scrollTop * scale;
  const highest = (row + 1) * rowPx + headPx - viewPx;
  const wanted = Math.min(Math.max(top, highest), row * rowPx);
  return wanted === top ? scrollTop : Math.max(0, wanted) / scale;
}
