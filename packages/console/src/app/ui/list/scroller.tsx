import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface ScrollerProps {
  /** Accessible name of the scrolled content. */
  readonly label: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** A scrolling box. It is focusable only if its content overflows, so that arrow keys can scroll it. */
export function Scroller({ label, class: name, children }: ScrollerProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const observer = new ResizeObserver(() =>
      setScrolls(current.scrollWidth > current.clientWidth || current.scrollHeight > current.clientHeight),
    );
    observer.observe(current);
    for (const child of current.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} class={name} {...(scrolls && { role: 'region', 'aria-label': label, tabIndex: 0 })}>
      {children}
    </div>
  );
}
