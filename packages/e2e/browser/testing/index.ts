export { PASSWORD } from '../../src/testing/index.ts';
export { addAuthenticator, addPasskey } from './authenticator.ts';
export { cast, otherSite } from './cast.ts';
export { itInEveryLayout, type Layout } from './layouts.ts';
export { scanQrCode } from './phone.ts';
export { downloaded, fillLogin, logIn, openRow, rowOf, signIn, signOnWith, submit } from './on-pages.ts';
export { startSite, type Site } from './site.ts';
export { tabOnly } from './tab-only.ts';
export { expectNoSidewaysScroll, expectNoViolations } from './violations.ts';
export {
  addFilter,
  barOf,
  chooseAction,
  chooseFile,
  confirmed,
  openTestConsole,
  promote,
  type Person,
  type TestConsole,
} from './console.ts';
