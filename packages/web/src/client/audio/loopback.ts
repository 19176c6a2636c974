/**
 * Connects a stream to an audio element through a pair of peer connections within the page. Returns a function that
 * closes them. Browsers cancel the echo of audio from a peer connection; not all do so for other audio of the page.
 */
export async function playLooped(stream: MediaStream, element: HTMLAudioElement): Promise<() => void> {
  if (typeof RTCPeerConnection === 'undefined') {
    element.srcObject = stream;
    return () => {};
  }
  const sender = new RTCPeerConnection();
  const receiver = new RTCPeerConnection();
  const close = (): void => {
    sender.close();
    receiver.close();
  };
  try {
    sender.onicecandidate = ({ candidate }) => void receiver.addIceCandidate(candidate ?? undefined).catch(() => {});
    receiver.onicecandidate = ({ candidate }) => void sender.addIceCandidate(candidate ?? undefined).catch(() => {});
    receiver.ontrack = ({ streams: [received], track }) => {
      element.srcObject = received ?? new MediaStream([track]);
    };
    for (const track of stream.getAudioTracks()) sender.addTrack(track, stream);
    await sender.setLocalDescription(await sender.createOffer());
    await receiver.setRemoteDescription(sender.localDescription ?? { type: 'offer' });
    await receiver.setLocalDescription(await receiver.createAnswer());
    await sender.setRemoteDescription(receiver.localDescription ?? { type: 'answer' });
    return close;
  } catch (thrown) {
    close();
    throw thrown;
  }
}
