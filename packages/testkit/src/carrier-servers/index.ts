export { CarrierCall, type CarrierMessage, type StreamFaults } from './carrier-call.ts';
export {
  type CarrierApiRequest,
  type CarrierCallee,
  CarrierServer,
  type CarrierServerOptions,
  type ReceivedCall,
} from './carrier-server.ts';
export { PlivoCall } from './plivo/plivo-call.ts';
export { PlivoServer } from './plivo/plivo-server.ts';
export { type PlivoSigned, plivoSignature } from './plivo/plivo-signature.ts';
export { TelnyxCall } from './telnyx/telnyx-call.ts';
export { TelnyxServer } from './telnyx/telnyx-server.ts';
export { type TelnyxKeys, telnyxKeys, telnyxSignature } from './telnyx/telnyx-signature.ts';
export { TwilioCall } from './twilio/twilio-call.ts';
export { TwilioServer } from './twilio/twilio-server.ts';
export { twilioSignature } from './twilio/twilio-signature.ts';
export { VonageCall } from './vonage/vonage-call.ts';
export { VonageServer } from './vonage/vonage-server.ts';
export { isApiToken, type VonageKeys, type VonageSigned, vonageKeys, vonageSignature } from './vonage/vonage-tokens.ts';
