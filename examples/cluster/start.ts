import { agentNumber, startDeployment, usualPorts } from './deployment.ts';

const deployment = await startDeployment();
console.log(`
Calls:   sip:${agentNumber}@127.0.0.1:${usualPorts.sip}
API:     http://127.0.0.1:${usualPorts.api}/api/v1
API key: ${deployment.apiKey}

Ctrl+C ends it.`);

process.once('SIGINT', async () => {
  await deployment.stop();
  process.exit();
});
