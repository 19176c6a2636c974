import { openapi, routes } from '@va/http';

// Writes the OpenAPI document, for clients in other languages: npm run --silent docs:openapi > openapi.json
process.stdout.write(`${JSON.stringify(openapi(routes), null, 2)}\n`);
