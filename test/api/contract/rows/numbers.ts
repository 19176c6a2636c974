import { z } from 'zod';
import { newPhoneNumber } from '../../support/tenant.ts';
import { type Row, row } from '../row.ts';
import { phoneNumber, success } from '../shapes.ts';

const wrapped = z.strictObject({ number: phoneNumber });
const location = /\/numbers\/[0-9a-f-]{36}$/;

export const numberRows: readonly Row[] = [
  row('GET /numbers', {
    async request(tenant) {
      await tenant.newNumber();
      return {};
    },
    body: z.strictObject({ numbers: z.array(phoneNumber).length(1) }),
  }),
  row('POST /numbers', {
    title: 'requires only a number',
    request: async () => ({ json: { phone_number: newPhoneNumber() } }),
    status: 201,
    body: wrapped,
    has: { number: { name: null, agent_id: null, agent_name: null, transfer_trunk_id: null, is_active: true } },
    location,
  }),
  row('POST /numbers', {
    title: 'returns the names of agent, business and trunk',
    async request(tenant) {
      const agent = await tenant.newAgent({ business_name: 'Harbour' });
      const trunk = await tenant.newTrunk();
      const assignment = { agent_id: agent.id, transfer_trunk_id: trunk.id, is_active: false, name: 'Front desk' };
      return { json: { phone_number: newPhoneNumber(), ...assignment } };
    },
    status: 201,
    body: wrapped,
    has: {
      number: {
        name: 'Front desk',
        agent_name: 'Anna',
        business_name: 'Harbour',
        transfer_trunk_name: 'Main',
        is_active: false,
      },
    },
    location,
  }),
  row('GET /numbers/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newNumber()).id] }),
    body: wrapped,
  }),
  row('PATCH /numbers/{id}', {
    async request(tenant) {
      const { id } = await tenant.newNumber();
      const json = { agent_id: (await tenant.newAgent()).id, transfer_trunk_id: (await tenant.newTrunk()).id };
      return { params: [id], json: { ...json, is_active: false } };
    },
    body: wrapped,
    has: { number: { agent_name: 'Anna', transfer_trunk_name: 'Main', is_active: false } },
  }),
  row('DELETE /numbers/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newNumber()).id] }),
    body: success,
  }),
];
