import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fromWav, type Stretch, voicedStretches } from '@va/test-servers/audio';

/** Folder and Debian package of each language's prompts: five speakers, at 8 kHz, with their texts. */
const voices = [
  { language: 'en', folder: 'en_US_f_Allison' },
  { language: 'es', folder: 'es_MX_f_Allison' },
  { language: 'fr', folder: 'fr_CA_f_June' },
  { language: 'it', folder: 'it_IT_m_Carlo' },
  { language: 'ru', folder: 'ru_RU_f_IvrvoiceRU' },
] as const;

const sounds = '/usr/share/asterisk/sounds';
/** Gaps of the voice from this length on are pauses; shorter ones are closures of consonants. */
const shortestGapMs = 120;

/** A recorded text. */
export interface Recording {
  readonly name: string;
  readonly language: string;
  readonly text: string;
  readonly pcm: Int16Array;
  /** Voiced stretches, in order. */
  readonly voiced: readonly Stretch[];
  /** Pieces of the text between the pauses, if there are as many as voiced stretches; null otherwise. */
  readonly pieces: readonly string[] | null;
}

/** Returns the Debian packages that are missing. */
export function missingPackages(): string[] {
  return voices.flatMap(({ language, folder }) =>
    existsSync(join(sounds, folder)) && existsSync(textsOf(language))
      ? []
      : [`asterisk-core-sounds-${language}-wav`, `asterisk-core-sounds-${language}`],
  );
}

function textsOf(language: string): string {
  return `/usr/share/doc/asterisk-core-sounds-${language}/core-sounds-${language}.txt.gz`;
}

/** Returns all recordings of sentences and words, in a fixed order. */
export async function everyRecording(): Promise<Recording[]> {
  const all = voices.flatMap(({ language, folder }) => {
    const lines = gunzipSync(readFileSync(textsOf(language)))
      .toString('utf8')
      .split('\n');
    return lines.flatMap((line) => {
      const [, name, text] = /^([^:;]+):\s*([^[].*)$/.exec(line.trim()) ?? [];
      const file = name === undefined ? null : join(sounds, folder, `${name}.wav`);
      if (text === undefined || file === null || !existsSync(file)) return [];
      return [{ name: `${language}/${name}`, language, text: text.trim(), file }];
    });
  });
  const recordings = await Promise.all(
    all.map(async ({ file, ...rest }): Promise<Recording> => {
      const pcm = fromWav(await readFile(file));
      const voiced = voicedStretches(pcm, shortestGapMs);
      return { ...rest, pcm, voiced, pieces: piecesOf(rest.text, voiced.length) };
    }),
  );
  return recordings.filter(({ voiced }) => voiced.length > 0).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Splits a text at its punctuation marks. Returns null unless there are as many pieces as stretches: the speaker then
 * paused elsewhere.
 */
function piecesOf(text: string, stretches: number): string[] | null {
  const pieces = text.split(/(?<=[,.;:!?…])\s+/);
  return pieces.length === stretches ? pieces : null;
}
