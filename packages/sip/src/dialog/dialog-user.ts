import type { Envelope } from '../message/envelope.ts';
import type { SipRequest } from '../message/message.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { Dialog } from './dialog.ts';

/** Handles the peer's requests within a dialog. */
export interface DialogUser {
  readonly dialog: Dialog;
  onRequest(transaction: ServerTransaction): void;
  onAck(request: SipRequest, envelope: Envelope): void;
}

/** Maps dialogs to their users. A later user of a dialog replaces the earlier one. */
export interface DialogRegistry {
  add(user: DialogUser): void;
  /** Does nothing if the user has been replaced. */
  remove(user: DialogUser): void;
}
