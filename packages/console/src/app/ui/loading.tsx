import type { JSX } from 'preact';
import { texts } from '../texts/en.ts';

export function Loading(): JSX.Element {
  return (
    <p class="loading muted" role="status">
      {texts.loading}
    </p>
  );
}
