/** Without what would talk to Scalar's own servers. */
const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
};

/** Both are found beside the page, whatever the API is mounted under. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Voice agents: API</title>
</head>
<body>
<script id="api-reference" data-url="openapi.json" data-configuration='${JSON.stringify(configuration)}'></script>
<script src="docs/scalar.js"></script>
</body>
</html>
`;

/** Nothing is loaded from elsewhere, and requests that are tried out go to this server alone. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

export const docsPage: { readonly html: string; readonly policy: string } = { html: page, policy };
