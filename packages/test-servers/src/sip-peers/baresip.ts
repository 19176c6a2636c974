import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VaError } from '@va/core';
import { Child } from './child.ts';
import { findProgram } from './find-program.ts';

export interface BaresipOptions {
  /** Folder for configuration and recordings, which no other program uses. */
  readonly dir: string;
  /** User part of the SIP address of baresip; letters and digits. */
  readonly name: string;
  readonly sipPort: number;
  /** First of a hundred ports for media. */
  readonly rtpPort: number;
  /** Audio to send: mono 16-bit, at the rate of the codec. baresip hangs up when the file ends. */
  readonly wavPath: string;
  /** SIP address to call. Default: none; baresip answers all calls. */
  readonly dial?: string;
  readonly transport?: 'udp' | 'tcp' | 'tls';
  /** TLS settings, as PEM files. With them, baresip also listens for TLS, on `sipPort` + 1. */
  readonly tls?: {
    /** Certificate of baresip, with the key. */
    readonly certificatePath: string;
    /** Trusted certificate authorities. Default: any certificate is accepted. */
    readonly caPath?: string;
  };
  /** In order of preference. Default: PCMU and PCMA. */
  readonly codecs?: readonly string[];
  /** SRTP with keys in SDP: if the other side supports it (`srtp`), or always (`srtp-mand`). */
  readonly encryption?: 'srtp' | 'srtp-mand';
}

export interface Baresip {
  readonly child: Child;
  /** Returns the path of the WAV file with the received audio; null if there was no call. */
  heardPath(): Promise<string | null>;
}

const moduleFolders = ['/usr/lib/baresip/modules', '/usr/local/lib/baresip/modules'];
const modules = ['stdio', 'g711', 'g722', 'opus', 'srtp', 'aufile', 'sndfile'];

/**
 * Returns true if baresip is installed.
 * @throws VaError `program_missing` on CI when it is not
 */
export function hasBaresip(): boolean {
  return findProgram('baresip', 'baresip-core') !== null;
}

function config(options: BaresipOptions, moduleFolder: string): string {
  const { dir, sipPort, rtpPort, wavPath, tls } = options;
  return `${[
    `sip_listen 127.0.0.1:${sipPort}`,
    ...(tls === undefined ? [] : [`sip_certificate ${tls.certificatePath}`]),
    ...(tls?.caPath === undefined ? [] : [`sip_cafile ${tls.caPath}`]),
    'call_local_timeout 120',
    'call_max_calls 4',
    `audio_source aufile,${wavPath}`,
    `audio_alert aufile,${wavPath}`,
    'audio_level no',
    'ausrc_format s16',
    'auplay_format s16',
    'auenc_format s16',
    'audec_format s16',
    'audio_buffer 20-160',
    `rtp_ports ${rtpPort}-${rtpPort + 100}`,
    'rtcp_mux no',
    'jitter_buffer_delay 5-10',
    'rtp_stats yes',
    // The interface's address is needed here, not its name.
    'net_interface 127.0.0.1',
    `module_path ${moduleFolder}`,
    ...modules.map((name) => `module ${name}.so`),
    'module_tmp uuid.so',
    'module_tmp account.so',
    'module_app menu.so',
    `snd_path ${join(dir, 'snd')}`,
  ].join('\n')}\n`;
}

/**
 * Starts baresip as a phone without screen or sound card, on loopback. Stop it with `child.stop()`.
 * @throws VaError `program_missing` when it is not installed
 */
export async function runBaresip(options: BaresipOptions): Promise<Baresip> {
  const { dir, name, sipPort, dial } = options;
  const program = findProgram('baresip', 'baresip-core');
  const moduleFolder = moduleFolders.find((folder) => existsSync(folder));
  if (program === null || moduleFolder === undefined) {
    throw new VaError('program_missing', 'baresip is not installed. Install the Debian package baresip-core.');
  }
  const sounds = join(dir, 'snd');
  await mkdir(sounds, { recursive: true });
  const codecs = (options.codecs ?? ['PCMU/8000/1', 'PCMA/8000/1']).join(',');
  const account = `<sip:${name}@127.0.0.1:${sipPort};transport=${options.transport ?? 'udp'}>`;
  const encryption = options.encryption === undefined ? '' : `;mediaenc=${options.encryption}`;
  const parameters = `regint=0;answermode=auto;catchall=yes;audio_codecs=${codecs}${encryption}`;
  await writeFile(join(dir, 'accounts'), `${account};${parameters}\n`);
  await writeFile(join(dir, 'contacts'), '');
  await writeFile(join(dir, 'config'), config(options, moduleFolder));
  const args = ['-f', dir, '-s', ...(dial === undefined ? [] : ['-e', `/dial ${dial}`])];
  const child = new Child(program, args, dir);
  return {
    child,
    async heardPath() {
      const recording = (await readdir(sounds)).find((file) => file.endsWith('dec.wav'));
      return recording === undefined ? null : join(sounds, recording);
    },
  };
}
