import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/en.ts';
import { focusTitle } from './keyboard/page-focus.ts';

export interface PageTitleProps {
  /** Also the title of the document. */
  readonly title: string;
  /** Shown beside the title, such as a status. */
  readonly children?: ComponentChildren;
}

/** The only `h1` of a page. After a navigation it has the focus, so that screen readers say where the visitor is. */
export function PageTitle({ title, children }: PageTitleProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  useEffect(() => {
    if (heading.current !== null) focusTitle(heading.current);
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {title} {children}
    </h1>
  );
}
