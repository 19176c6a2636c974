import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../data/use-action.ts';
import { texts } from '../texts/en.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { isUnauthorized, signIn } from './session.ts';

/** The form that signs in with an API key. */
export function SignIn(): JSX.Element {
  const [apiKey, setApiKey] = useState('');
  const { isBusy, error, run } = useAction();
  useEffect(() => {
    document.title = `${texts.signIn.title} · ${texts.product}`;
  }, []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(() => signIn(apiKey.trim()));
  };
  return (
    <main class="sign-in">
      <form class="card stack" onSubmit={submit}>
        <h1>{texts.product}</h1>
        <p class="muted">{texts.signIn.explanation}</p>
        <label class="field">
          <span>{texts.signIn.apiKey}</span>
          <input
            type="password"
            name="api-key"
            autocomplete="off"
            spellcheck={false}
            required
            value={apiKey}
            onInput={(event) => setApiKey(event.currentTarget.value)}
          />
        </label>
        {error !== null && <ErrorNotice error={isUnauthorized(error) ? texts.signIn.refused : error} />}
        <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={apiKey.trim() === ''}>
          {texts.signIn.submit}
        </Button>
      </form>
    </main>
  );
}
