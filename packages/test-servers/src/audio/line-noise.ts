import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VaError } from '@va/core';
import { fromWav } from './wav.ts';

/** Recordings of background sounds on a line at 8 kHz, from Debian packages. */
const music = { folder: '/usr/share/asterisk/moh', debianPackage: 'asterisk-moh-opsound-wav' };
const voices = { folder: '/usr/share/codec2/raw', debianPackage: 'codec2-examples' };

/** Short recordings of different people, mixed into babble noise. */
const speakers = ['ve9qrp_10s', 'hts1a', 'vk5qi', 'kristoff', 'mmt1', 'hts2a', 'g3plx', 'cq_ref'];

/**
 * Returns true if both packages of recordings are installed.
 * @throws VaError `sounds_missing` on CI when one is not
 */
export function hasLineNoise(): boolean {
  const missing = [music, voices].filter(({ folder }) => !existsSync(folder));
  if (missing.length === 0) return true;
  if (!process.env.CI) return false;
  const packages = missing.map(({ debianPackage }) => debianPackage).join(', ');
  throw new VaError('sounds_missing', `install the Debian packages ${packages}`);
}

/** Returns hold music, each piece with its name. */
export async function holdMusic(): Promise<[name: string, pcm: Int16Array][]> {
  const files = readdirSync(music.folder).filter((name) => name.endsWith('.wav'));
  return await Promise.all(
    files.map(async (file): Promise<[string, Int16Array]> => {
      const name = file.replace('.wav', '');
      return [name, await pieceOfMusic(name)];
    }),
  );
}

export async function pieceOfMusic(name: string): Promise<Int16Array> {
  return fromWav(await readFile(join(music.folder, `${name}.wav`)));
}

/** Returns a recording of each of several people. */
export async function recordedVoices(): Promise<Int16Array[]> {
  return await Promise.all(
    speakers.map(async (speaker) => {
      const { buffer, byteOffset, byteLength } = await readFile(join(voices.folder, `${speaker}.raw`));
      return new Int16Array(buffer.slice(byteOffset, byteOffset + (byteLength & ~1)));
    }),
  );
}
