import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';

/** The service's side of a carrier's WebSocket, whose far end is the test. */
export class FakeWebSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: unknown[] = [];
  closeCode: number | null = null;
  isTerminated = false;

  /** This socket as the type of its users. */
  get asWebSocket(): WebSocket {
    return this as unknown as WebSocket;
  }

  send(message: unknown): void {
    this.sent.push(message);
  }

  close(code: number): void {
    this.readyState = 3;
    this.closeCode ??= code;
  }

  terminate(): void {
    this.isTerminated = true;
    this.lose();
  }

  receive(message: object | string): void {
    this.emit('message', Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)), false);
  }

  lose(): void {
    this.readyState = 3;
    this.emit('close');
  }
}
