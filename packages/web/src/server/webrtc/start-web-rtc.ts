import { systemRandom, type TelephonyHost, toError, VaError } from '@va/core/adapter';
import { loadOpus } from '@va/media';
import { candidateAddresses } from './addresses.ts';
import { createCertificate } from './dtls/certificate.ts';
import { WebRtcPort } from './ice/web-rtc-port.ts';
import { defaultWebRtcPort, type WebRtcOptions } from './options.ts';
import type { WebRtcSetup } from './web-rtc-connection.ts';

/**
 * Opens the port, and creates the certificate of this process.
 * @throws VaError `webrtc_port_unavailable`
 */
export async function startWebRtc(options: WebRtcOptions, { clock, logger }: TelephonyHost): Promise<WebRtcSetup> {
  const { port = defaultWebRtcPort, address = '0.0.0.0', announce = [], tcp = true } = options;
  const wanted = options.codecs ?? ['opus', 'pcmu'];
  const opus = wanted.includes('opus') ? await loadOpus() : null;
  const codecs = wanted.filter((codec) => codec !== 'opus' || opus !== null);
  if (codecs.length === 0) {
    throw new VaError('invalid_options', 'webCalls({ webrtc }): the codec opus needs the package @discordjs/opus.');
  }
  const opened = await WebRtcPort.open({ clock, address, port, tcp }).catch((thrown: unknown) => {
    const message = `Port ${port} on ${address} cannot be opened for WebRTC: ${toError(thrown).message}.`;
    throw new VaError('webrtc_port_unavailable', message, { cause: thrown });
  });
  const addresses = candidateAddresses(address, announce);
  logger.info({ port: opened.port, addresses, tcp, codecs }, 'listening for WebRTC');
  const certificate = createCertificate(systemRandom);
  return { clock, random: systemRandom, port: opened, certificate, addresses, codecs, opus };
}
