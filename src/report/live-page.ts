import { hashOf, type PageParts } from './page-html.ts';

/** The page of `campaign ui`: the same program, which gets everything from its server, as soon as that has let it in. */
export function livePage({ script, style }: Pick<PageParts, 'script' | 'style'>) {
  return {
    html: `<!doctype html>
<html lang="en" data-live>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>campaign</title>
<style>${style}</style>
</head>
<body>
<div id="app"><p class="notice" role="status">Connecting to campaign …</p></div>
<p id="live" role="status"></p>
<noscript><p>This page is a program: allow JavaScript for it. The page of <code>campaign report</code> can be read without.</p></noscript>
<script>${script}</script>
</body>
</html>
`,
    policy: [
      "default-src 'none'",
      `script-src ${hashOf(script)}`,
      `style-src ${hashOf(style)}`,
      "img-src 'self' data: blob:",
      "media-src 'self' blob:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
  };
}
