import type { FieldTexts } from '../field-texts.ts';

/** Labels and help texts of the fields of a tool, by path. */
export const toolFields: FieldTexts = {
  tool: { label: 'Tool as JSON' },
  'tool.name': { label: 'Name', help: 'The model calls the tool by it: letters, digits, _ and -.' },
  'tool.description': { label: 'Description', help: 'Tells the model when and how to use the tool.' },
  'tool.message': { label: 'Said while it runs' },
  'tool.parameters': { label: 'Parameters', help: 'A JSON Schema of type object.' },
  'tool.url': { label: 'URL', help: 'Where the tool runs; the webhook URL by default.' },
  'tool.server': { label: 'Server' },
  'tool.server.url': { label: 'URL' },
  'tool.server.secret': {
    label: 'Secret',
    help: 'Signs the requests. Never shown again; left empty, the stored one stays.',
  },
  'tool.server.headers': { label: 'Headers', help: 'Never shown again; left empty, the stored ones stay.' },
  'tool.runs': { label: 'Runs' },
  'tool.async': { label: 'Do not wait for the result' },
  'tool.destinations': { label: 'Destinations' },
  'tool.destinations.type': { label: 'Type' },
  'tool.destinations.number': { label: 'Number or address' },
  'tool.destinations.description': { label: 'When to transfer there' },
  'tool.destinations.message': { label: 'Said before the transfer' },
  'tool.destinations.send_digits': { label: 'Keys pressed afterwards' },
  'tool.destinations.mode': { label: 'Mode', help: 'Warm asks first, and tells what the call is about.' },
  'tool.duration_ms': { label: 'Length of a key (ms)' },
  'tool.allow': { label: 'Allowed tools', help: 'Empty allows all of the server.' },
  'tool.prefix': { label: 'Prefix of the names' },
  'tool.timeout_ms': { label: 'Time limit (ms)' },
};
