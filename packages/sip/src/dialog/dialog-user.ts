import type { Envelope } from '../message/envelope.ts';
import type { SipRequest } from '../message/message.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { Dialog } from './dialog.ts';

/** Who answers the requests that the peer makes within a dialog. */
export interface DialogUser {
  readonly dialog: Dialog;
  onRequest(transaction: ServerTransaction): void;
  onAck(request: SipRequest, envelope: Envelope): void;
}

/** Where requests within dialogs find their users. A later user of a dialog takes the place of the one before. */
export interface DialogRegistry {
  add(user: DialogUser): void;
  /** Nothing when another one has taken its place. */
  remove(user: DialogUser): void;
}
