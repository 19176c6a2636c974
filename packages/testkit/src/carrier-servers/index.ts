export {
  type IncomingTwilioCall,
  TwilioCall,
  type TwilioCallee,
  type TwilioRequest,
  TwilioServer,
  type TwilioServerOptions,
  type TwilioStreamFaults,
  twilioSignature,
} from './twilio-server.ts';
