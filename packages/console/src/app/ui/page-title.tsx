import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/en.ts';
import { focusTitle } from './keyboard/page-focus.ts';

export interface PageTitleProps {
  /** Also used as the document title. */
  readonly title: string;
  /** Content beside the title, such as a status. */
  readonly children?: ComponentChildren;
}

/** The `h1` of a page. Takes the focus after a navigation, so that screen readers announce the page. */
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
