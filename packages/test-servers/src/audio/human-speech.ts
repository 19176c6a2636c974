import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VaError } from '@va/core';
import { fromWav } from './wav.ts';

const sounds = '/usr/share/asterisk/sounds';
const debianPackage = 'asterisk-core-sounds-en-wav';

/** Recorded prompts at 8 kHz, with their words. */
const prompts = {
  'hello-world': 'hello world',
  'agent-pass': 'please enter your password followed by the pound key',
  'conf-getconfno': 'please enter the conference number followed by the pound key',
} as const;
export type Prompt = keyof typeof prompts;

function promptFolder(): string | null {
  const folders = existsSync(sounds) ? readdirSync(sounds).filter((name) => name.startsWith('en')) : [];
  const found = folders
    .map((name) => join(sounds, name))
    .find((folder) => Object.keys(prompts).every((prompt) => existsSync(join(folder, `${prompt}.wav`))));
  return found ?? null;
}

/**
 * Returns true if the prompts are installed.
 * @throws VaError `speech_missing` on CI when they are not
 */
export function hasHumanSpeech(): boolean {
  if (promptFolder() !== null) return true;
  if (!process.env.CI) return false;
  throw new VaError('speech_missing', `no prompts in ${sounds}; install the Debian package ${debianPackage}`);
}

export function wordsOf(prompt: Prompt): string {
  return prompts[prompt];
}

/** Returns 8 kHz audio of prompts and of pauses in milliseconds. */
export async function humanSpeech(...parts: readonly (Prompt | number)[]): Promise<Int16Array> {
  const folder = promptFolder();
  if (folder === null) throw new VaError('speech_missing', `install the Debian package ${debianPackage}`);
  const pieces = await Promise.all(
    parts.map(async (part) =>
      typeof part === 'number' ? new Int16Array(part * 8) : fromWav(await readFile(join(folder, `${part}.wav`))),
    ),
  );
  const whole = new Int16Array(pieces.reduce((total, piece) => total + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Sounds in the folder that are not speech. */
const tones = /^(beep|beeperr|ascending-2tone|descending-2tone|confbridge-join|confbridge-leave)\.wav$/;

type NamedSound = readonly [name: string, pcm: Int16Array];

let recorded: Promise<readonly NamedSound[]> | null = null;

/**
 * Returns 8 kHz audio of every prompt in the folder, with its file name. All callers share the audio, which must not be
 * changed.
 */
export function everyPrompt(): Promise<readonly NamedSound[]> {
  recorded ??= readEveryPrompt();
  return recorded;
}

async function readEveryPrompt(): Promise<readonly NamedSound[]> {
  const folder = promptFolder();
  if (folder === null) throw new VaError('speech_missing', `install the Debian package ${debianPackage}`);
  const names = readdirSync(folder).filter((name) => name.endsWith('.wav') && !tones.test(name));
  return await Promise.all(
    names.map(async (name): Promise<NamedSound> => [name, fromWav(await readFile(join(folder, name)))]),
  );
}

/** Returns the recorded beep of an answering machine. */
export async function recordedBeep(): Promise<Int16Array> {
  return fromWav(await readFile(join(promptFolder() ?? '', 'beep.wav')));
}
