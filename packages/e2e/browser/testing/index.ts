export { LOOKS } from './looks.ts';
export { mailedLink } from './mailed-link.ts';
export { phone } from './phone.ts';
export { readQrCode } from './read-qr-code.ts';
export { fillLogin, signIn } from './sign-in.ts';
export { startSite, type OwnSite, type Site } from './site.ts';
export { tabOnly } from './tab-only.ts';
export { expectNoSidewaysScroll, expectNoViolations } from './violations.ts';
export { collectCspReports, expectQuiet } from './watch.ts';
