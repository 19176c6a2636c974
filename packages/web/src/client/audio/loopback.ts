/**
 * Plays a stream through a pair of peer connections within the page. Browsers cancel the echo of what comes from a peer
 * connection; not all do so for other sounds of the page.
 */
export async function playLooped(stream: MediaStream): Promise<{ element: HTMLAudioElement; close(): void }> {
  const element = new Audio();
  element.autoplay = true;
  element.setAttribute('playsinline', '');
  if (typeof RTCPeerConnection === 'undefined') {
    element.srcObject = stream;
    await element.play();
    return { element, close: () => release(element) };
  }
  const sender = new RTCPeerConnection();
  const receiver = new RTCPeerConnection();
  const close = (): void => {
    sender.close();
    receiver.close();
    release(element);
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
    await element.play();
    return { element, close };
  } catch (thrown) {
    close();
    throw thrown;
  }
}

function release(element: HTMLAudioElement): void {
  element.pause();
  element.srcObject = null;
}
