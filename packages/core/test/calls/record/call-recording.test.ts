import { silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { CallRecording } from '../../../src/calls/record/call-recording.ts';
import type { RecordingSink, RecordingStore } from '../../../src/ports/recordings.ts';

/** A recording whose sink opens when the test resolves it. */
function recordingOf(options: { readonly failsToClose?: boolean } = {}) {
  const errors: string[] = [];
  let closed = 0;
  let created: { resolve(): void; reject(error: Error): void } = { resolve() {}, reject() {} };
  const sink: RecordingSink = {
    write() {},
    close: async () => {
      closed += 1;
      if (options.failsToClose) throw new Error('the disk is full');
    },
  };
  const store: RecordingStore = {
    create: () =>
      new Promise((resolve, reject) => {
        created = { resolve: () => resolve(sink), reject };
      }),
    open: async () => null,
    delete: async () => false,
  };
  const logger = { ...silentLogger, error: (_fields: object, message: string) => void errors.push(message) };
  const recording = new CallRecording(store, logger);
  return {
    recording,
    sink,
    errors,
    open: () => recording.open('org-1', 'call-1'),
    created: () => created,
    closed: () => closed,
  };
}

describe('CallRecording', () => {
  it('returns its sink, and completes it once the call is over', async () => {
    const { recording, sink, open, created, closed } = recordingOf();
    const opening = open();
    created().resolve();
    expect(await opening).toBe(sink);
    expect(await recording.close()).toBe(true);
    expect(closed()).toBe(1);
  });

  it('is missing if the store fails to open it', async () => {
    const { recording, open, created, errors } = recordingOf();
    const opening = open();
    created().reject(new Error('the disk is full'));
    expect(await opening).toBeNull();
    expect(await recording.close()).toBe(false);
    expect(errors).toEqual(['failed to open the recording']);
  });

  it('is missing if the store fails to complete it', async () => {
    const { recording, open, created, errors } = recordingOf({ failsToClose: true });
    const opening = open();
    created().resolve();
    await opening;
    expect(await recording.close()).toBe(false);
    expect(errors).toEqual(['failed to complete the recording']);
  });

  it('is closed as soon as it opens if the call has ended meanwhile', async () => {
    const { recording, open, created, closed } = recordingOf();
    const opening = open();
    expect(await recording.close()).toBe(false);
    created().resolve();
    expect(await opening).toBeNull();
    expect(closed()).toBe(1);
  });

  it('is missing if it was never opened', async () => {
    expect(await recordingOf().recording.close()).toBe(false);
  });
});
