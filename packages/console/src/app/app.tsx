import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { resumeHostSession, session } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { Shell } from './shell/shell.tsx';
import { Loading } from './ui/loading.tsx';

/** The sign-in form, or the console of the signed-in user. */
export function App(): JSX.Element {
  useEffect(() => void resumeHostSession(), []);
  const { value } = session;
  if (value === 'unknown') {
    return (
      <main>
        <Loading />
      </main>
    );
  }
  return value === null ? <SignIn /> : <Shell session={value} />;
}
