import { createSocket, type Socket } from 'node:dgram';
import { callerPortsFrom, frameMs, servicePorts } from './settings.ts';

/**
 * RTP streams with only Node's sockets and a timer. argv[2] is the end that this process plays, argv[3] the number of
 * streams. Frames that are late here cannot be sent in time by any Node program on this machine.
 */
const [isService, streams] = [process.argv[2] === 'service', Number(process.argv[3])];
const [ownFrom, theirsFrom] = isService ? [servicePorts.min, callerPortsFrom] : [callerPortsFrom, servicePorts.min];
const address = '127.0.0.1';
/** The service sends in four bursts, like its ticker; callers are independent of each other. */
const phases = isService ? 4 : frameMs;
const headerBytes = 12;
const frameBytes = 160;

function packetOf(stream: number): DataView {
  const packet = new DataView(new ArrayBuffer(headerBytes + frameBytes));
  packet.setUint8(0, 0x80);
  packet.setUint32(8, stream + 1);
  return packet;
}

function bound(stream: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const lookup = (_: string, __: unknown, callback: (error: null, address: string, family: number) => void): void =>
      callback(null, address, 4);
    const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 18, lookup });
    socket.on('message', () => {});
    socket.once('error', reject).bind(ownFrom + 2 * stream, address, () => resolve(socket));
  });
}

const sockets = await Promise.all(Array.from({ length: streams }, (_, stream) => bound(stream)));
const packets = sockets.map((_, stream) => packetOf(stream));
const startedAtMs = performance.now();
let slot = 0;

function send(): void {
  const dueSlot = Math.floor((performance.now() - startedAtMs) / (frameMs / phases));
  for (; slot < dueSlot; slot++) {
    const frame = Math.floor(slot / phases);
    for (let stream = slot % phases; stream < streams; stream += phases) {
      const packet = packets[stream] as DataView;
      packet.setUint16(2, frame & 0xffff);
      packet.setUint32(4, frame * frameBytes);
      sockets[stream]?.send(packet, theirsFrom + 2 * stream, address);
    }
  }
  setTimeout(send, Math.max(0, startedAtMs + ((slot + 1) * frameMs) / phases - performance.now()));
}

process.on('disconnect', () => process.exit(0));
process.send?.('ready');
send();
