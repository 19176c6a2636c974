import type { WebSocket } from 'ws';
import type { DeepgramConnection, DeepgramFault } from './deepgram-server.ts';
import { objectOf, textOf } from './local-server.ts';
import { soundingBytes } from './sounding-bytes.ts';

/** 200 ms of sound at 8 kHz μ-law. */
const bytesPerWord = 1_600;
/** Silence after which the service is fairly sure of the end, and quite. */
const eagerBytes = 2_400;
const endBytes = 4_800;

/**
 * Turns by the sound alone: one begins with its first word, is probably over after 300 ms of silence, and is after 600 ms.
 * Control messages that the service does not know end the connection.
 */
export function serveFlux(
  socket: WebSocket,
  connection: DeepgramConnection,
  fault: DeepgramFault | undefined,
  turns: string[],
): void {
  let sequence = 0;
  let turn = 0;
  let spoken = 0;
  let silent = 0;
  let told = '';
  let state: 'silent' | 'speaking' | 'ending' = 'silent';
  const isEager = connection.query.has('eager_eot_threshold');
  const send = (message: object): void => {
    if (fault === 'garbage') {
      for (const text of ['{', '[]', '{"type":"TurnInfo","event":7}', '{"type":"TurnInfo","event":"Later"}', '7']) {
        socket.send(text);
      }
    }
    socket.send(JSON.stringify({ request_id: 'request', sequence_id: sequence++, ...message }));
  };
  const tell = (event: string, transcript: string): void => {
    const window = { audio_window_start: 0, audio_window_end: connection.audioBytes / 8_000 };
    const trigger = event === 'EndOfTurn' && { trigger: 'model' };
    const message = { type: 'TurnInfo', event, turn_index: turn, transcript, words: [], end_of_turn_confidence: 0.5 };
    send({ ...message, ...window, ...trigger });
  };
  const hear = (sound: number): void => {
    silent = 0;
    spoken += sound;
    const words = (turns[0] ?? '').split(' ').slice(0, Math.floor(spoken / bytesPerWord));
    const heard = words.join(' ');
    if (heard === '') return;
    if (state === 'silent') tell('StartOfTurn', heard);
    else if (state === 'ending') tell('TurnResumed', heard);
    else if (heard !== told) tell('Update', heard);
    state = 'speaking';
    told = heard;
  };
  const hearNothing = (silence: number): void => {
    silent += silence;
    if (state === 'silent') return;
    if (isEager && state === 'speaking' && silent >= eagerBytes) {
      state = 'ending';
      tell('EagerEndOfTurn', told);
    }
    if (silent < endBytes || fault === 'endless-turns') return;
    tell('EndOfTurn', turns.shift() ?? '');
    turn++;
    spoken = 0;
    told = '';
    state = 'silent';
  };
  socket.on('close', () => {
    connection.closed = true;
  });
  socket.on('message', (data, isBinary) => {
    // Frames that came before a cut are still told of.
    if (socket.readyState !== socket.OPEN) return;
    if (isBinary) {
      const audio = data as Buffer;
      connection.audioBytes += audio.length;
      const sound = soundingBytes(audio);
      if (sound > 0) hear(sound);
      else hearNothing(audio.length);
      if (typeof fault === 'object' && 'breakAfterBytes' in fault && spoken >= fault.breakAfterBytes)
        socket.terminate();
      return;
    }
    const type = String(objectOf(textOf(data)).type);
    connection.controls.push(type);
    if (type === 'Configure') return;
    if (type !== 'CloseStream') {
      send({ type: 'Error', code: 'UNPARSABLE_CLIENT_MESSAGE', description: `There is no ${type}.` });
    }
    socket.close(type === 'CloseStream' ? 1000 : 1008);
  });
  send({ type: 'Connected' });
}
