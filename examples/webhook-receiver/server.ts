import { createReceiver } from './receiver.ts';

const { WEBHOOK_SECRET: secret, PORT: port = '4000' } = process.env;
if (secret === undefined) throw new Error('Set WEBHOOK_SECRET to the webhook_secret of the agent.');
createReceiver(secret, console.log).listen(Number(port), () => console.log(`http://localhost:${port}/hook`));
