import type { ConsoleService } from '../support/console-service.ts';

/** Registers numbers, trunks, keys and settings of the organization. */
export async function addAccounts(service: ConsoleService, agentIds: readonly string[]): Promise<void> {
  const { orgId } = service;
  const { numbers, trunks, apiKeys, publishableKeys, doNotCall, byok, toolTemplates } = service.va.operations;
  const trunk = await trunks.create(orgId, {
    ...{
      type: 'sip',
      name: 'Amsterdam',
      provider: 'Carrier',
      address: 'sip.carrier.example',
      numbers: ['+31201234501', '+31201234502'],
    },
    ...{ auth_username: 'northside', auth_password: 'secret', max_concurrent_calls: 30 },
  });
  await trunks.create(orgId, {
    ...{
      type: 'sip',
      name: 'Backup',
      provider: 'Second carrier',
      address: 'backup.carrier.example:5070',
      numbers: [],
      is_active: false,
    },
  });
  const lines = [
    { phone_number: '+31201234501', name: 'Main line', agent_id: agentIds[0], transfer_trunk_id: trunk.id },
    { phone_number: '+31201234502', name: 'Appointments', agent_id: agentIds[1] },
    { phone_number: '+31201234503', name: 'Campaigns', agent_id: agentIds[2] },
    { phone_number: '+31851234504', name: 'Old number', is_active: false },
  ];
  for (const { agent_id, ...line } of lines) {
    await numbers.register(orgId, { ...line, ...(agent_id !== undefined && { agent_id }) });
  }
  await apiKeys.issue(orgId, { name: 'Booking server', scopes: ['calls:write', 'calls:read', 'agents:read'] });
  await apiKeys.issue(orgId, { name: 'Reports', scopes: ['usage:read'], expires_at: '2027-01-01T00:00:00.000Z' });
  const old = await apiKeys.issue(orgId, { name: 'Old dashboard', scopes: ['calls:read'] });
  await apiKeys.revoke(orgId, old.apiKey.id);
  await publishableKeys.create(orgId, {
    ...{ name: 'Website', agents: agentIds.slice(0, 1), origins: ['https://www.northside.example'] },
    minutes_per_day: 120,
  });
  await doNotCall.add(orgId, { phone_number: '+31612345670', reason: 'Asked on the phone' });
  await doNotCall.add(orgId, { phone_number: '+31612345671', reason: null });
  await byok.set(orgId, { provider: 'openai', api_key: 'sk-example' });
  await toolTemplates.create(orgId, {
    name: 'Opening hours',
    tool_type: 'function',
    tool_config: { function: { name: 'opening_hours', description: 'Opening hours of a day.', parameters: {} } },
  });
}
