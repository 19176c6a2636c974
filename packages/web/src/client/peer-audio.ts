/** One WebRTC connection to the service, with the microphone in one direction and the agent in the other. */
export class PeerAudio {
  readonly #peer: RTCPeerConnection;
  readonly #sender: RTCRtpSender | null = null;
  #stream: MediaStream | null = null;
  #packets = 0;

  /** @param onConnected called once with the agent's voice @param onFailed called if the connection cannot be made */
  constructor(microphone: MediaStream, onConnected: (stream: MediaStream) => void, onFailed: () => void) {
    const peer = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
    this.#peer = peer;
    for (const track of microphone.getAudioTracks()) this.#sender = peer.addTrack(track, microphone);
    peer.ontrack = ({ streams: [stream], track }) => {
      this.#stream = stream ?? new MediaStream([track]);
    };
    peer.onconnectionstatechange = () => {
      if (peer.connectionState === 'failed') onFailed();
      else if (peer.connectionState === 'connected' && this.#stream !== null) {
        peer.onconnectionstatechange = null;
        onConnected(this.#stream);
      }
    };
  }

  async offer(): Promise<string> {
    await this.#peer.setLocalDescription(await this.#peer.createOffer());
    return this.#peer.localDescription?.sdp ?? '';
  }

  async accept(sdp: string): Promise<void> {
    await this.#peer.setRemoteDescription({ type: 'answer', sdp });
  }

  async useMicrophone(track: MediaStreamTrack): Promise<void> {
    await this.#sender?.replaceTrack(track);
  }

  /** Resolves to true if packets have arrived since the last call: the service sends 50 a second. */
  async hasReceived(): Promise<boolean> {
    let packets = 0;
    for (const report of (await this.#peer.getStats()).values()) {
      if (report.type === 'inbound-rtp') packets += report.packetsReceived;
    }
    const isMore = packets > this.#packets;
    this.#packets = packets;
    return isMore;
  }

  close(): void {
    this.#peer.onconnectionstatechange = null;
    this.#peer.close();
  }
}
