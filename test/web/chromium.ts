import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const wholeBrowser = '/usr/bin/chromium';
/** The same engine without windows, which takes half of the processor time. It does not ask for permissions. */
const headlessShell = '/usr/bin/chromium-headless-shell';

/** Returns whether Chromium is installed. @throws Error on CI when it is not */
export function hasChromium(): boolean {
  if (existsSync(wholeBrowser)) return true;
  if (!process.env.CI) return false;
  throw new Error(`no ${wholeBrowser}; install the Debian package chromium`);
}

export interface ChromiumOptions {
  /** Audio of the microphone from its opening on; null for a browser without a microphone. */
  readonly microphone: string | null;
  /** False if the user refuses the microphone. */
  readonly isAllowed?: boolean;
  /** True for the full browser: for figures and screenshots, and by default if the user refuses the microphone. */
  readonly isWhole?: boolean;
}

/** Launches a browser: the headless shell if that is sufficient and installed. */
export async function launchChromium(options: ChromiumOptions): Promise<Browser> {
  const { microphone, isAllowed = true, isWhole = !isAllowed } = options;
  return await chromium.launch({
    executablePath: !isWhole && existsSync(headlessShell) ? headlessShell : wholeBrowser,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...(microphone === null
        ? []
        : ['--use-fake-device-for-media-stream', `--use-file-for-fake-audio-capture=${microphone}%noloop`]),
      ...(microphone === null || !isAllowed ? [] : ['--use-fake-ui-for-media-stream']),
    ],
  });
}
