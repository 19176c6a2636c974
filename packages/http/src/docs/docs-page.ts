/** Turns off the features of Scalar that contact its own servers. */
const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
};

/** HTML of the page. Both its URLs are relative, so that they work under any mount path. */
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

/** Content security policy: the page loads nothing from other origins, and trial requests go to this server only. */
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

/** The page of the API reference and its content security policy. */
export const docsPage: { readonly html: string; readonly policy: string } = { html: page, policy };
