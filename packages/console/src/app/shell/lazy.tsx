import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';

type View<Props> = (props: Props) => JSX.Element;

/**
 * Returns a component that is loaded when first rendered. A failed load is shown with a retry button.
 *
 * @example lazy(async () => (await import('../pages/calls/calls-page.tsx')).CallsPage)
 */
export function lazy<Props extends object>(load: () => Promise<View<Props>>): View<Props> {
  let loaded: View<Props> | null = null;
  return function Lazy(props: Props): JSX.Element {
    const [error, setError] = useState<unknown>(null);
    const [, setRound] = useState(0);
    const start = (): void => {
      if (loaded !== null) return;
      setError(null);
      load().then((view) => {
        loaded = view;
        setRound((round) => round + 1);
      }, setError);
    };
    useEffect(start, []);
    if (error !== null) return <ErrorNotice error={error} onRetry={start} />;
    const Loaded = loaded;
    return Loaded === null ? <Loading /> : <Loaded {...props} />;
  };
}
