/** Only files of ours run and are loaded. The library sets styles of its own, and has its pictures in its style sheet. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Holdfast API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/reference.css">
</head>
<body>
<div id="reference"></div>
<noscript><p>This page shows <a href="openapi.json">openapi.json</a> by a script.</p></noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/reference.js"></script>
</body>
</html>
`

/** Nothing is tried out from the page: a page may not use a secret key. It is dark where the reader's system is. */
export const REFERENCE_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)')
const adapt = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', adapt)
adapt()
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelRendering: 'example',
  defaultModelExpandDepth: 2,
  defaultModelsExpandDepth: 0,
  filter: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
})
`

/** The headers of every answer are told once, in the introduction; fields and locks are for trying out. */
export const REFERENCE_STYLE = `
body { margin: 0; }
html.dark-mode body { background: #1c2022; }
#reference { max-width: 1120px; margin: 0 auto; }
.swagger-ui .info { margin: 32px 0; }
.swagger-ui .info p, .swagger-ui .opblock-description-wrapper p, .swagger-ui .response-col_description__inner p {
  max-width: 78ch;
  margin-left: 0;
  line-height: 1.55;
}
.swagger-ui .scheme-container,
.swagger-ui .authorization__btn,
.swagger-ui .parameters-col_description input,
.swagger-ui .parameters-col_description select,
.swagger-ui .parameters-col_description textarea,
.swagger-ui .response .headers-wrapper,
.swagger-ui .response-control-media-type__accept-message,
.swagger-ui .response-col_links { display: none; }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { color: inherit; background: #8b93a026; font-weight: 500; }
`
