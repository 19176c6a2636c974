import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface ScrollerProps {
  /** Name of what scrolls, for screen readers. */
  readonly label: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** A box that scrolls where its content is too large. Only then it takes the focus, to be scrolled with keys. */
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
