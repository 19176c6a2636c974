import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { watchCampaign } from '../../src/campaigns/watch.ts';

/** Runs the command with arguments that it refuses before it sends a request. */
async function refused(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const errors: string[] = [];
  const io = {
    env: { VA_API_KEY: 'va_live_test', ...env },
    out: { write: () => expect.fail('Nothing is printed.') },
    err: (line: string) => errors.push(line),
    clock: new VirtualClock(),
    signal: new AbortController().signal,
  };
  expect(await watchCampaign(args, io as unknown as Parameters<typeof watchCampaign>[1])).toBe(2);
  return errors.join('\n');
}

describe('va campaigns watch', () => {
  it.each([[[]], [['']], [['a', 'b']]])('expects one id, not %j', async (args) => {
    expect(await refused(args)).toBe('Expected one campaign id: va campaigns watch ID');
  });

  it.each(['voice', 'ftp://voice.example.com', 'localhost:8080', '//x'])('refuses the URL %j', async (url) => {
    expect(await refused(['a', '--url', url])).toBe(
      `${url} is not a valid URL: set --url or VA_URL to that of a service, such as https://voice.example.com.`,
    );
    expect(await refused(['a'], { VA_URL: url })).toContain(url);
  });

  it('requires an API key', async () => {
    expect(await refused(['a'], { VA_API_KEY: '' })).toBe('An API key is required: set VA_API_KEY or --key.');
    expect(await refused(['a', '--key', ''])).toBe('An API key is required: set VA_API_KEY or --key.');
  });

  it('names an unknown option', async () => {
    expect(await refused(['a', '--colour'])).toContain('--colour');
  });
});
