// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/dom';
import type { Call, CallEvent, Client } from '@va/client';
import { sampleCall } from '@va/testkit';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallPage } from '../../../../src/app/pages/call/call-page.tsx';
import { loadRecording } from '../../../../src/app/pages/call/recording/recording-audio.ts';
import { keepAudio } from '../../../support/browser-parts.ts';
import { ScriptedStream } from '../../../support/scripted-stream.ts';
import { refusal, sessionWith } from '../../../support/session.ts';
import { showPage } from '../../../support/show.tsx';
import { choose, press, textOf } from '../../../support/user.ts';

type Recording = Client['calls']['recording'];
type Part = Awaited<ReturnType<Recording>>;

const at = '2026-03-01T12:00:00.000Z';
const call: Call = sampleCall({
  id: 'call-1',
  status: 'ended',
  end_reason: 'user_hangup',
  answered_at: at,
  duration_seconds: 65,
  recording_url: 'https://example.com/recording',
});

const part = (bytes: string, range: Part['range']): Part => ({
  body: new Blob([bytes]).stream() as ReadableStream<Uint8Array>,
  contentType: 'audio/wav',
  byteLength: bytes.length,
  range,
});
const whole = vi.fn<Recording>(async () => part('RIFF', null));

/** The audio element of the page. */
let audio: () => HTMLAudioElement;

function open(recording: Recording, apiKey: string | null = 'va_live_1'): ScriptedStream<CallEvent> {
  const events = new ScriptedStream<CallEvent>();
  const calls: Partial<Client['calls']> = {
    get: async () => call as Awaited<ReturnType<Client['calls']['get']>>,
    events: (_id, options) => events.open(options),
    recording,
    peaks: () => new Promise(() => {}),
  };
  showPage(
    <CallPage session={sessionWith({ calls }, { scopes: ['calls:read'], apiKey })} id="call-1" onErased={() => {}} />,
  );
  return events;
}

/** Lets the element report its position. */
function reach(seconds: number): void {
  audio().currentTime = seconds;
  void act(() => void audio().dispatchEvent(new Event('timeupdate')));
}

beforeEach(() => {
  audio = keepAudio();
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:recording');
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the recording of a call', () => {
  it('is loaded when it is first played', async () => {
    open(whole);
    await screen.findByRole('button', { name: 'Play' });
    whole.mockClear();
    press('Play');
    await screen.findByRole('button', { name: 'Pause', busy: false });
    expect(audio().src).toBe('blob:recording');
    press('Pause');
    await screen.findByRole('button', { name: 'Play' });
    press('Play');
    await screen.findByRole('button', { name: 'Pause', busy: false });
    expect(whole).toHaveBeenCalledTimes(1);
  });

  it('shows how much is loaded', async () => {
    const size = 8_388_608;
    const recording = vi
      .fn<Recording>()
      .mockResolvedValueOnce(part('a', { start: 0, end: size - 1, totalBytes: 4 * size }))
      .mockReturnValueOnce(new Promise(() => {}));
    open(recording);
    await screen.findByRole('button', { name: 'Play' });
    press('Play');
    await screen.findByText('Loading 25 %');
    expect(screen.getByRole('button', { name: 'Play' }).getAttribute('aria-busy')).toBe('true');
  });

  it('is streamed by the browser in a session of the host, which sends cookies', async () => {
    open(whole, null);
    await screen.findByRole('button', { name: 'Play' });
    whole.mockClear();
    press('Play');
    await screen.findByRole('button', { name: 'Pause', busy: false });
    expect(audio().src).toBe('https://example.com/voice/api/v1/calls/call-1/recording?redirect=false');
    expect(whole).not.toHaveBeenCalled();
  });

  it('shows why it cannot be played, and can be tried again', async () => {
    const recording = vi.fn<Recording>().mockRejectedValueOnce(refusal('The recording was erased.'));
    recording.mockResolvedValue(part('RIFF', null));
    open(recording);
    await screen.findByRole('button', { name: 'Play' });
    press('Play');
    expect(textOf(await screen.findByRole('alert'))).toContain('The recording was erased.');
    press('Play');
    await screen.findByRole('button', { name: 'Pause', busy: false });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('plays from a chosen position', async () => {
    open(whole);
    const slider = await screen.findByRole('slider', { name: 'Position in the recording' });
    fireEvent.change(slider, { target: { value: '30000' } });
    await screen.findByRole('button', { name: 'Pause', busy: false });
    expect(audio().currentTime).toBe(30);
    reach(31);
    expect(screen.getByText('0:31 / 1:05')).toBeTruthy();
  });

  it('plays at a chosen speed', async () => {
    open(whole);
    choose(await screen.findByRole('combobox', { name: 'Speed' }), '1.5');
    expect([audio().playbackRate, audio().defaultPlaybackRate]).toEqual([1.5, 1.5]);
  });

  it('plays from a line of the transcript, and marks the line that is heard', async () => {
    const events = open(whole);
    await screen.findByRole('button', { name: 'Play' });
    const said = (id: string, content: string, seconds: number): CallEvent => ({
      ...{ id, type: 'transcript', call_id: call.id, data: { role: 'user', content } },
      at: new Date(Date.parse(at) + seconds * 1_000).toISOString(),
    });
    events.send(said('1', 'First.', 4), said('2', 'Second.', 9));
    events.end();
    fireEvent.click(await screen.findByRole('button', { name: 'Go to 0:04' }));
    await screen.findByRole('button', { name: 'Pause', busy: false });
    expect(audio().currentTime).toBe(4);
    reach(5);
    expect(document.querySelector('[aria-current="true"]')?.textContent).toContain('Second.');
    reach(1);
    expect(document.querySelector('[aria-current="true"]')?.textContent).toContain('First.');
  });

  it('stops when the page is left', async () => {
    const events = new ScriptedStream<CallEvent>();
    const calls: Partial<Client['calls']> = {
      get: async () => call as Awaited<ReturnType<Client['calls']['get']>>,
      events: (_id, options) => events.open(options),
      recording: whole,
      peaks: () => new Promise(() => {}),
    };
    const session = sessionWith({ calls }, { scopes: [] });
    const { unmount } = showPage(<CallPage session={session} id="call-1" onErased={() => {}} />);
    await screen.findByRole('button', { name: 'Play' });
    press('Play');
    await screen.findByRole('button', { name: 'Pause', busy: false });
    unmount();
    expect([audio().paused, audio().getAttribute('src')]).toEqual([true, null]);
    await waitFor(() => expect(URL.revokeObjectURL).toHaveBeenCalledWith('blob:recording'));
  });
});

describe('loading a recording in parts', () => {
  const size = 8_388_608;
  const { signal } = new AbortController();

  async function load(recording: Recording): Promise<{ readonly text: string; readonly shares: number[] }> {
    const shares: number[] = [];
    const client = { calls: { recording } } as unknown as Client;
    const blob = await loadRecording(client, 'call-1', { signal, onShare: (share) => shares.push(share) });
    return { text: await blob.text(), shares };
  }

  it('asks for one part after the other until the end', async () => {
    const total = size + 100;
    const recording = vi
      .fn<Recording>()
      .mockResolvedValueOnce(part('first ', { start: 0, end: size - 1, totalBytes: total }))
      .mockResolvedValueOnce(part('second', { start: size, end: total - 1, totalBytes: total }));
    const { text, shares } = await load(recording);
    expect(text).toBe('first second');
    expect(shares).toEqual([size / total, 1]);
    expect(recording.mock.calls.map(([, options]) => options?.range)).toEqual([
      { start: 0, end: size - 1 },
      { start: size, end: 2 * size - 1 },
    ]);
  });

  it('takes the whole recording if the service sends no parts', async () => {
    expect(await load(async () => part('whole', null))).toEqual({ text: 'whole', shares: [1] });
  });

  it('stops after 32 parts, which the browser keeps in memory', async () => {
    const recording = vi.fn<Recording>(async (_id, options) => {
      const { start = 0, end = 0 } = options?.range ?? {};
      return part('x', { start, end, totalBytes: 100 * size });
    });
    expect((await load(recording)).text).toHaveLength(32);
  });

  it('fails with the refusal of the service', async () => {
    await expect(load(() => Promise.reject(refusal('gone')))).rejects.toThrow('gone');
  });
});
