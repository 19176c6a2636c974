import { verifyWebhook } from '@va/webhooks/verify';
import express from 'express';

const { WEBHOOK_SECRET: secret = '' } = process.env;
const hours = { from: 'six', to: 'eleven' };

// The signature covers the body byte for byte: no JSON parser may run before the check.
const app = express().post('/hook', express.raw({ type: '*/*' }), (request, response) => {
  const message = verifyWebhook({ headers: request.headers, body: request.body as Buffer, secret });
  if (message.type !== 'tool-calls') return void response.json({}); // a status update or a report
  response.json({ results: message.toolCallList.map(({ id }) => ({ toolCallId: id, result: hours })) });
});
app.listen(4000);
