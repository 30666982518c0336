import type { ConsoleAssets } from './assets.ts';
import { escaped } from './document.ts';
import { LANGUAGES } from './ui/locale/languages.ts';

/** The console's document. It contains the data for its script, and no data of accounts. */
export function consoleDocument({
  assets,
  locale,
  messages,
  faceImageOrigins,
  consoleUrl,
}: {
  assets: ConsoleAssets;
  locale: string;
  messages: Readonly<Record<string, string>>;
  faceImageOrigins: readonly string[];
  /** The origin at which browsers open the console (`ADMIN_URL`). */
  consoleUrl: string | undefined;
}): string {
  const { script, style, icon } = assets;
  const data = {
    Locale: locale,
    Locales: LANGUAGES,
    Messages: messages,
    Name: 'Gatehouse',
    PasswordMinLength: 8,
    EraseAfterDays: 0,
    FaceImageOrigins: faceImageOrigins,
    ConsoleUrl: consoleUrl,
  };
  const noscript = escaped(messages['console.noscript'] ?? '');
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Gatehouse</title>
<link rel="icon" href="/web/${icon}" type="image/svg+xml">
<link rel="stylesheet" href="/web/${style}">
<script type="module" src="/web/${script}" defer></script>
</head>
<body>
<noscript><p class="noscript">${noscript}</p></noscript>
<div id="console"></div>
<script type="application/json" id="page-data">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>
</body>
</html>
`;
}
