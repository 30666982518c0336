export { addAuthenticator, addPasskey } from './authenticator.ts';
export { cast, later } from './cast.ts';
export { findProblems, itInEveryLayout, type Layout } from './layouts.ts';
export { mailedLink } from './mailed-link.ts';
export { otherSite } from './other-site.ts';
export { phone } from './phone.ts';
export { openRow, rowOf } from './rows.ts';
export { readQrCode } from './read-qr-code.ts';
export { fillLogin, signIn } from './sign-in.ts';
export { startSite, type Site } from './site.ts';
export { tabOnly } from './tab-only.ts';
export { expectNoSidewaysScroll, expectNoViolations } from './violations.ts';
export { collectCspReports, expectQuiet } from './watch.ts';
export {
  addFilter,
  barOf,
  fillConsoleSignIn,
  openTestConsole,
  promote,
  type TestConsole,
} from './console.ts';
