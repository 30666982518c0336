export { addAuthenticator, addPasskey } from './authenticator.ts';
export { cast, later } from './cast.ts';
export { downloaded } from './downloaded.ts';
export { itInEveryLayout, type Layout } from './layouts.ts';
export { otherSite } from './other-site.ts';
export { scanQrCode } from './phone.ts';
export { openRow, rowOf } from './rows.ts';
export { fillLogin, logIn, signIn, signOnWith } from './sign-in.ts';
export { startSite, type Site } from './site.ts';
export { tabOnly } from './tab-only.ts';
export { expectNoSidewaysScroll, expectNoViolations } from './violations.ts';
export {
  addFilter,
  barOf,
  chooseAction,
  confirmed,
  openTestConsole,
  promote,
  type TestConsole,
} from './console.ts';
